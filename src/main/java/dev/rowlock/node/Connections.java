package dev.rowlock.node;

import dev.rowlock.db.Database;
import dev.rowlock.db.Servers;
import java.time.Duration;

/**
 * Connections of a node: of scheduling, of recording, and of the heartbeat, so that nothing it waits for can cost the
 * session. Each is opened when it is first used.
 */
public record Connections(Database engine, Database results, Database heart) implements AutoCloseable {

    /**
     * Returns connections whose patience is less than half the time between heartbeat and fence, which leaves time for
     * a second try.
     */
    public static Connections to(Servers servers, EngineSettings settings) {
        Duration patience =
                settings.fence().minus(settings.heartbeat()).dividedBy(2).minusMillis(100);
        return new Connections(
                Database.single(servers, patience),
                Database.single(servers, patience),
                Database.unhindered(servers, patience));
    }

    @Override
    public void close() {
        engine.close();
        results.close();
        heart.close();
    }
}
