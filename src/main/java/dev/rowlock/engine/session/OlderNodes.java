package dev.rowlock.engine.session;

import dev.rowlock.cluster.Lease;
import dev.rowlock.cluster.Lease.Trust;
import dev.rowlock.db.Database;
import dev.rowlock.engine.HeldClaim;
import dev.rowlock.engine.Pace;
import dev.rowlock.engine.Pass;
import dev.rowlock.engine.Step;
import dev.rowlock.store.history.OlderSpans;
import dev.rowlock.store.history.OlderSpans.Ids;
import dev.rowlock.store.history.SoleClaim;
import dev.rowlock.store.task.Asides;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes up for what nodes of an earlier version do not write: while they are there, and once after the last of them has
 * gone. What takes long with a long history is done by one node at a time.
 */
public final class OlderNodes implements Step {

    private static final Duration REST = Duration.ofMinutes(1);
    private static final Duration UNTIL_JOINED = Duration.ofSeconds(1);
    private static final String CLAIM = "spans-claim";

    private final Lease lease;
    private final KnownSessions knownSessions;
    private final String version;
    private final Database database;
    private final LongSupplier nanos;
    private final OlderSpans spans;
    private final HeldClaim claim;
    private final Pace pace = Pace.ofLargeBatches();
    private boolean mayHaveBeen = true;
    private boolean spansNoted;
    /** Of history, to be looked at; null: not begun. */
    private @Nullable Ids left;

    /**
     * @param version of this node
     * @param nanos the monotonic clock
     */
    public OlderNodes(Lease lease, KnownSessions knownSessions, String version, Database database, LongSupplier nanos) {
        this.lease = lease;
        this.knownSessions = knownSessions;
        this.version = version;
        this.database = database;
        this.nanos = nanos;
        this.spans = new OlderSpans(database);
        this.claim = new HeldClaim(nanos, new SoleClaim(database, CLAIM));
    }

    @Override
    public Pass runOnce() {
        Trust trust = lease.current().orElse(null);
        if (trust == null) {
            return Pass.rest(UNTIL_JOINED);
        }
        boolean others =
                knownSessions.members().stream().anyMatch(m -> !m.version().equals(version));
        if (left == null && (others || mayHaveBeen)) {
            Asides.adopt(database);
            mayHaveBeen = others;
        }
        return spansNoted ? Pass.rest(REST) : noteSpans(trust.sessionId());
    }

    private Pass noteSpans(String session) {
        long beganNanos = nanos.getAsLong();
        if (left == null) {
            spansNoted = spans.areNoted();
            if (spansNoted || spans.mayBecomeMore(version) || !claim.isHeldBy(session)) {
                return Pass.rest(REST);
            }
            left = spans.all();
        } else if (!claim.isHeldBy(session)) {
            left = null;
            return Pass.rest(REST);
        }
        if (left.isEmpty()) {
            left = null;
            if (spans.mayBecomeMore(version)) {
                return Pass.rest(REST);
            }
            spans.complete();
            claim.giveBack();
            return Pass.MORE;
        }
        int most = pace.rows();
        left = spans.note(left, most);
        long took = nanos.getAsLong() - beganNanos;
        pace.took(most, took);
        return Pass.rest(pace.restAfter(took));
    }
}
