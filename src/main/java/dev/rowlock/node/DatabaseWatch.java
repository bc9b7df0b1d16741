package dev.rowlock.node;

import dev.rowlock.db.Database;
import dev.rowlock.db.FailoverTime;
import dev.rowlock.db.Servers;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Check whether the database is still the same server. It reads nothing while nothing is wrong. */
public final class DatabaseWatch implements Step {

    private static final Logger log = LoggerFactory.getLogger(DatabaseWatch.class);
    private static final Duration REST = Duration.ofMillis(500);
    private static final Duration IN_DOUBT = Duration.ofMillis(200);

    private final Servers servers;
    private final Executor beside;

    /** @param beside asks servers that do not answer */
    public DatabaseWatch(Servers servers, Executor beside) {
        this.servers = servers;
        this.beside = beside;
    }

    @Override
    public Pass runOnce() {
        return Pass.rest(servers.check(beside) ? REST : IN_DOUBT);
    }

    /** Warns if a failover, by the server's own settings, takes longer than this node's commands have. */
    public static void warnOfSlowFailover(Database pool, EngineSettings settings) {
        FailoverTime.of(pool)
                .warning(settings.heartbeat(), settings.fence(), settings.fenceGrace())
                .ifPresent(log::warn);
    }
}
