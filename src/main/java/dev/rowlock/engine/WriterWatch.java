package dev.rowlock.engine;

import dev.rowlock.cluster.Lease;
import dev.rowlock.db.Servers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks, once this node has joined and every minute, whether more than one of the servers in {@code database.url}
 * takes writes. That cannot be mended from here, so it is said when it begins and when it is over.
 */
public final class WriterWatch implements Step {

    private static final Logger log = LoggerFactory.getLogger(WriterWatch.class);
    private static final Duration UNTIL_JOINED = Duration.ofSeconds(1);
    private static final Duration REST = Duration.ofMinutes(1);

    private final Lease lease;
    private final Servers servers;
    private volatile List<String> writers = List.of();
    private volatile boolean asked;

    public WriterWatch(Lease lease, Servers servers) {
        this.lease = lease;
        this.servers = servers;
    }

    @Override
    public Pass runOnce() {
        if (lease.current().isEmpty()) {
            return Pass.rest(UNTIL_JOINED);
        }
        List<String> now = servers.writers();
        asked = true;
        if (!now.equals(writers)) {
            writers = now;
            problem().ifPresentOrElse(log::warn, () -> log.info("Only one server of database.url takes writes again."));
        }
        return Pass.rest(REST);
    }

    /** Whether the servers have been asked; before that, {@link #problem} says nothing. */
    public boolean hasAsked() {
        return asked;
    }

    /** What may happen and what to do, for people; empty while at most one server takes writes. */
    public Optional<String> problem() {
        List<String> several = writers;
        return several.isEmpty()
                ? Optional.empty()
                : Optional.of("Servers " + String.join(" and ", several)
                        + " of database.url take writes at the same time. A node that cannot reach the one goes to the"
                        + " other, and nodes on different servers do not see each other's locks: commands may run"
                        + " twice. Make all but the primary read-only (set persist super_read_only = 1, or"
                        + " read_only = 1 on MariaDB; single-primary mode of a group), or name only one"
                        + " of them in database.url.");
    }
}
