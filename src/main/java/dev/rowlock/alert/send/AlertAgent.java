package dev.rowlock.alert.send;

import dev.rowlock.alert.send.Sending.DeliveryMeans;
import dev.rowlock.alert.store.ChannelStore;
import dev.rowlock.alert.store.OutageReports;
import dev.rowlock.alert.store.Outbox;
import dev.rowlock.db.Database;
import dev.rowlock.node.Loop;
import dev.rowlock.node.NodeContext;
import dev.rowlock.secret.KeyRing;
import dev.rowlock.task.history.OutputQueries;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Agent that adds the steps of alerts to one node. */
public final class AlertAgent {

    private static final String SENDING = "alert-sending";

    private AlertAgent() {}

    /**
     * Settings of alerts on a node.
     *
     * @param publicUrl where people reach Rowlock; null: not configured
     * @param pingUrl what an outside watchdog waits for; null: there is none
     */
    public record AlertSettings(
            Sender sender,
            @Nullable String publicUrl,
            @Nullable String pingUrl,
            Duration pingEvery) {}

    /**
     * Adds the steps to the node's loops.
     *
     * @param keys of what channels keep secret
     */
    public static void addTo(NodeContext node, Database database, AlertSettings settings, KeyRing keys) {
        Executor crew = Loop.crew("alert-delivery");
        Sending sending = sending(
                node,
                database,
                settings,
                keys,
                task -> crew.execute(() -> {
                    task.run();
                    node.loops().hurrying(SENDING).run();
                }));
        Runnable wake = node.loops().add(SENDING, sending);
        node.loops().add("alerts", new Detection(node, database, wake));
        String url = settings.pingUrl();
        if (url != null) {
            node.loops().add("ping", new ClusterPing(node, database, settings.sender(), url, settings.pingEvery()));
        }
    }

    /**
     * Returns the step that sends.
     *
     * @param executor of what waits for receivers
     */
    public static Sending sending(
            NodeContext node, Database database, AlertSettings settings, KeyRing keys, Executor executor) {
        Outbox outbox = new Outbox(database);
        return new Sending(
                node,
                outbox,
                new ChannelStore(database),
                new OutageReports(database),
                new Letters(outbox, new OutputQueries(database), settings.publicUrl()),
                new DeliveryMeans(settings.sender(), executor),
                keys);
    }
}
