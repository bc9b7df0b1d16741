package dev.rowlock;

import dev.rowlock.db.Database;
import dev.rowlock.db.Servers;
import dev.rowlock.engine.EngineSettings;
import java.time.Duration;

/**
 * A node's own connections: of who has the turn, of who has the turn of recording, with a second one for when many results wait, and of the
 * heartbeat, so that nothing it waits for can cost the session. Each is opened when it is first used.
 */
record Connections(Database engine, Database results, Database moreResults, Database heart) implements AutoCloseable {

    /** An answer that takes longer than half of what lies between heartbeat and fence is given up, so that there is time for a second try. */
    static Connections to(Servers servers, EngineSettings settings) {
        Duration patience =
                settings.fence().minus(settings.heartbeat()).dividedBy(2).minusMillis(100);
        return new Connections(
                Database.single(servers, patience),
                Database.single(servers, patience),
                Database.single(servers, patience),
                Database.unhindered(servers, patience));
    }

    @Override
    public void close() {
        engine.close();
        results.close();
        moreResults.close();
        heart.close();
    }
}
