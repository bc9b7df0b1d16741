package dev.rowlock.alert.send;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.rowlock.alert.AlertChannel;
import dev.rowlock.exec.OperatorCommand;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A process of its own that sends one message over TLS, as whom a Java trusts is decided once for each process.
 *
 * <p>Arguments: {@code mail SECURITY HOST PORT}, or {@code webhook URL}. It says {@code sent}, or why not.
 */
final class SendingProcess {

    private SendingProcess() {}

    public static void main(String[] args) {
        boolean mail = args[0].equals("mail");
        MailServer server = mail
                ? new MailServer(
                        args[2],
                        Integer.parseInt(args[3]),
                        MailServer.Security.valueOf(args[1]),
                        "rowlock",
                        "s3cret",
                        "rowlock@example.com")
                : null;
        AlertChannel channel = new AlertChannel(
                mail ? AlertChannel.Type.EMAIL : AlertChannel.Type.WEBHOOK,
                mail ? "ops@example.com" : args[1],
                "",
                List.of());
        Sender sender = new Sender(
                new Destinations(List.of("127.0.0.1", "::1"), InetAddress::getAllByName),
                server,
                Map.of(),
                new OperatorCommand(Path.of(System.getProperty("java.io.tmpdir"))));
        Message message = new Message(
                "msg_1",
                Instant.parse("2026-12-01T03:00:07Z"),
                "db/backup failed",
                "text",
                JsonNodeFactory.instance.objectNode().put("type", "job.failed"));
        try {
            sender.send(channel, message);
            System.out.println("sent");
        } catch (NotSent e) {
            System.out.println(e.reason());
        }
    }
}
