package dev.rowlock;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.rowlock.alert.MessageJson;
import dev.rowlock.alert.MessagePart;
import dev.rowlock.alert.MessageText;
import dev.rowlock.alert.RaisedAlert;
import dev.rowlock.cluster.DatabaseClock;
import dev.rowlock.config.Config;
import dev.rowlock.control.Alerts;
import dev.rowlock.db.Database;
import dev.rowlock.engine.alert.AlertAgent;
import dev.rowlock.exec.OperatorCommand;
import dev.rowlock.job.AlertChannel;
import dev.rowlock.job.AlertCondition;
import dev.rowlock.job.JobKey;
import dev.rowlock.secret.KeyRing;
import dev.rowlock.send.Destinations;
import dev.rowlock.send.MailServer;
import dev.rowlock.send.Message;
import dev.rowlock.send.NotSent;
import dev.rowlock.send.Sender;
import dev.rowlock.store.alert.AlertQueries;
import dev.rowlock.store.alert.ChannelStore;
import dev.rowlock.store.alert.RuleStore;
import dev.rowlock.store.alert.SilenceStore;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What one node sends messages with, made from its settings. */
public final class AlertParts {

    private AlertParts() {}

    /** @param home where what commands read is kept meanwhile */
    static AlertAgent.Settings settings(Config.Alerts config, Path home) {
        Destinations destinations = new Destinations(config.allowInternal(), InetAddress::getAllByName);
        Sender sender = new Sender(
                destinations,
                mailServer(config.mail()),
                config.commands(),
                new OperatorCommand(home.resolve("alerts")),
                System::nanoTime);
        return new AlertAgent.Settings(sender, config.publicUrl(), config.pingUrl(), config.pingEvery());
    }

    private static @Nullable MailServer mailServer(Config.@Nullable Mail mail) {
        return mail == null
                ? null
                : new MailServer(
                        mail.host(),
                        mail.port(),
                        MailServer.Security.valueOf(mail.security().name()),
                        mail.user(),
                        mail.password(),
                        mail.from());
    }

    /** What people may ask of alerts. */
    public static Alerts forPeople(Database pool, Sender sender, KeyRing keys, DatabaseClock clock) {
        return new Alerts(
                new Alerts.Stores(
                        new RuleStore(pool), new ChannelStore(pool), new SilenceStore(pool), new AlertQueries(pool)),
                keys,
                new Alerts.TestOfChannel() {
                    @Override
                    public @Nullable String problem(AlertChannel channel) {
                        return sender.problem(channel);
                    }

                    @Override
                    public @Nullable String send(String name, AlertChannel channel) {
                        try {
                            sender.send(channel, test(name, clock.now()));
                            return null;
                        } catch (NotSent e) {
                            return e.reason();
                        }
                    }
                });
    }

    private static Message test(String channel, Instant now) {
        RaisedAlert alert = new RaisedAlert(
                0,
                "test",
                AlertCondition.FAILED,
                "job:0",
                null,
                new JobKey("rowlock", "test"),
                Map.of(),
                null,
                null,
                JsonNodeFactory.instance
                        .objectNode()
                        .put("outcome", "FAILED")
                        .put("reason", "nothing has failed: this is a test of channel " + channel),
                now,
                now,
                now,
                "OVER",
                "SENT");
        List<MessagePart> parts = List.of(new MessagePart(MessagePart.Kind.RAISED, alert, List.of()));
        String text = "This is a test of channel " + channel + ". Nothing has failed.\n";
        return new Message(
                "msg_" + UUID.randomUUID().toString().replace("-", ""),
                now,
                "Test of channel " + channel,
                text,
                MessageJson.of(new MessageText(parts, 1, null), parts, 1, now).put("type", "test"));
    }
}
