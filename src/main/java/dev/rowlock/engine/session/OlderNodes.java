package dev.rowlock.engine.session;

import dev.rowlock.cluster.Lease;
import dev.rowlock.db.Database;
import dev.rowlock.engine.Pass;
import dev.rowlock.engine.Step;
import dev.rowlock.store.history.Spans;
import dev.rowlock.store.task.Asides;
import java.time.Duration;

/**
 * Makes up for what nodes of an earlier version do not write: while they are there, and once after the last of them has
 * gone.
 */
public final class OlderNodes implements Step {

    private static final Duration REST = Duration.ofMinutes(1);
    private static final Duration UNTIL_JOINED = Duration.ofSeconds(1);

    private final Lease lease;
    private final KnownSessions knownSessions;
    private final String version;
    private final Database database;
    private boolean mayHaveBeen = true;
    private boolean spansNoted;

    public OlderNodes(Lease lease, KnownSessions knownSessions, String version, Database database) {
        this.lease = lease;
        this.knownSessions = knownSessions;
        this.version = version;
        this.database = database;
    }

    @Override
    public Pass runOnce() {
        if (lease.current().isEmpty()) {
            return Pass.rest(UNTIL_JOINED);
        }
        boolean others =
                knownSessions.members().stream().anyMatch(m -> !m.version().equals(version));
        if (others || mayHaveBeen) {
            Asides.adopt(database);
            mayHaveBeen = others;
        }
        if (!spansNoted) {
            spansNoted = new Spans(database).noteOlder(version);
        }
        return Pass.rest(REST);
    }
}
