package dev.rowlock.alert.send;

import dev.rowlock.cluster.Lease.Trust;
import dev.rowlock.db.Database;
import dev.rowlock.node.NodeContext;
import dev.rowlock.node.Pass;
import dev.rowlock.node.Step;
import dev.rowlock.task.history.SoleClaim;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ping to an outside watchdog that the cluster lives, from one node at a time: only a node that has a session and
 * reaches the database holds the claim. A ping that fails is not sent again, as the next one says the same.
 */
public final class ClusterPing implements Step {

    private static final Logger log = LoggerFactory.getLogger(ClusterPing.class);

    /** Time between renewals of the claim, which expires after a minute; also between pings. */
    private static final Duration CLAIM_AGAIN = Duration.ofSeconds(20);

    private static final Duration OTHERS_TURN = Duration.ofSeconds(10);
    private static final String CLAIM = "ping-claim";

    private final NodeContext node;
    private final SoleClaim claim;
    private final Sender sender;
    private final String url;
    private final Duration every;

    private boolean ours;
    private long pingedNanos;
    private boolean failing;

    public ClusterPing(NodeContext node, Database database, Sender sender, String url, Duration every) {
        this.node = node;
        this.claim = new SoleClaim(database, CLAIM);
        this.sender = sender;
        this.url = url;
        this.every = every;
    }

    @Override
    public Pass runOnce() {
        Trust trust = node.lease().current().orElse(null);
        if (trust == null || !claim.take(trust.sessionId())) {
            ours = false;
            return Pass.rest(OTHERS_TURN);
        }
        long now = node.nanos().getAsLong();
        if (!ours || now - pingedNanos >= every.toNanos()) {
            ours = true;
            pingedNanos = now;
            ping();
        }
        Duration next = every.minusNanos(node.nanos().getAsLong() - pingedNanos);
        return Pass.rest(next.compareTo(CLAIM_AGAIN) < 0 ? next : CLAIM_AGAIN);
    }

    private void ping() {
        try {
            sender.ping(url);
            if (failing) {
                log.info("ping.url is answered again");
            }
            failing = false;
        } catch (NotSent e) {
            if (!failing) {
                log.warn("ping.url: {}", e.reason());
            }
            failing = true;
        }
    }
}
