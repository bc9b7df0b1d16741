package dev.rowlock.alert.send;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.alert.AlertChannel;
import dev.rowlock.exec.OperatorCommand;
import dev.rowlock.support.Receiver;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The reference implementation of the specification, npm's {@code standardwebhooks}, accepts what is sent. Skipped where
 * npm is missing or cannot fetch it; {@link SignatureTest} has signatures that it has made.
 */
class StandardWebhooksTest {

    private static final String PACKAGE = "standardwebhooks@1.1.1";
    private static final Path HOME = Path.of("target", "standardwebhooks").toAbsolutePath();
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String OTHER = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    private static final String VERIFY = """
            const { Webhook } = require("standardwebhooks");
            const sent = JSON.parse(require("fs").readFileSync(process.argv[2], "utf8"));
            console.log(new Webhook(sent.secret).verify(sent.body, sent.headers).data.text);
            """;

    @TempDir
    Path dir;

    @BeforeAll
    static void fetch() throws Exception {
        if (Files.isDirectory(HOME.resolve("node_modules/standardwebhooks"))) {
            return;
        }
        Files.createDirectories(HOME);
        Path log = HOME.resolve("npm.log");
        try {
            int exit = run(log, 90, "npm", "install", "--no-audit", "--no-fund", "--prefix", HOME.toString(), PACKAGE);
            Assumptions.assumeTrue(exit == 0, "skipped, as npm cannot fetch " + PACKAGE + ": see " + log);
        } catch (IOException e) {
            Assumptions.abort("skipped, as npm is missing: " + e.getMessage());
        }
    }

    @Test
    void the_reference_accepts_what_is_sent_under_each_of_its_secrets_and_no_other() throws Exception {
        Message message = new Message("msg_2fL9", Instant.now(), "db/backup failed", "text", (ObjectNode)
                new ObjectMapper().readTree("{\"type\": \"job.failed\", \"data\": {\"text\": \"Zürich → €\"}}"));
        try (Receiver receiver = new Receiver()) {
            Sender sender = new Sender(
                    new Destinations(List.of("127.0.0.1"), InetAddress::getAllByName),
                    null,
                    Map.of(),
                    new OperatorCommand(dir));
            sender.send(
                    new AlertChannel(AlertChannel.Type.WEBHOOK, receiver.url("/"), "", List.of(OTHER, SECRET)),
                    message);
            Receiver.Request request = receiver.requests().get(0);
            assertThat(verify(SECRET, request)).isEqualTo("Zürich → €");
            assertThat(verify(OTHER, request)).isEqualTo("Zürich → €");
            assertThat(verify("whsec_" + "QUJD".repeat(8), request)).contains("WebhookVerificationError");
        }
    }

    private String verify(String secret, Receiver.Request request) throws Exception {
        Path script = Files.writeString(HOME.resolve("verify.js"), VERIFY);
        Path sent = dir.resolve("sent.json");
        new ObjectMapper()
                .writeValue(
                        sent.toFile(), Map.of("secret", secret, "headers", request.headers(), "body", request.body()));
        Path out = dir.resolve("out");
        run(out, 30, "node", script.toString(), sent.toString());
        return Files.readString(out).strip();
    }

    private static int run(Path out, int seconds, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            return -1;
        }
        return process.exitValue();
    }
}
