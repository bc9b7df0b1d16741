package dev.rowlock;

import dev.rowlock.alert.AlertChannel;
import dev.rowlock.alert.MessageJson;
import dev.rowlock.alert.request.Alerts;
import dev.rowlock.alert.send.AlertAgent.AlertSettings;
import dev.rowlock.alert.send.Destinations;
import dev.rowlock.alert.send.MailServer;
import dev.rowlock.alert.send.Message;
import dev.rowlock.alert.send.NotSent;
import dev.rowlock.alert.send.Sender;
import dev.rowlock.alert.store.AlertQueries;
import dev.rowlock.alert.store.ChannelStore;
import dev.rowlock.alert.store.RuleStore;
import dev.rowlock.alert.store.SilenceStore;
import dev.rowlock.cluster.DatabaseClock;
import dev.rowlock.config.Config.AlertConfig;
import dev.rowlock.config.Config.MailConfig;
import dev.rowlock.db.Database;
import dev.rowlock.exec.OperatorCommand;
import dev.rowlock.secret.KeyRing;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Parts by which a node sends messages, made from its settings. */
public final class AlertParts {

    private AlertParts() {}

    /** @param home where what commands read is kept meanwhile */
    static AlertSettings settings(AlertConfig config, Path home) {
        Destinations destinations = new Destinations(config.allowInternal(), InetAddress::getAllByName);
        Sender sender = new Sender(
                destinations,
                mailServer(config.mail()),
                config.commands(),
                new OperatorCommand(home.resolve("alerts")));
        return new AlertSettings(sender, config.publicUrl(), config.pingUrl(), config.pingEvery());
    }

    private static @Nullable MailServer mailServer(@Nullable MailConfig mail) {
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

    /** Returns the alerts as people manage them. */
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
        String subject = "Test of channel " + channel;
        String text = "This is a test of channel " + channel + ". Nothing has failed, and nothing is to be done.\n";
        return new Message(
                "msg_" + UUID.randomUUID().toString().replace("-", ""),
                now,
                subject,
                text,
                MessageJson.test(subject, text, now));
    }
}
