package dev.rowlock.node;

import dev.rowlock.cluster.Lease;
import dev.rowlock.db.Servers;
import dev.rowlock.db.Writers;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Check, once this node has joined and every minute, whether more than one database server takes writes: those that
 * {@code database.url} lists, or members of a cluster behind one address. That cannot be repaired from here, so it is
 * logged when it begins and when it is over.
 */
public final class WriterWatch implements Step {

    private static final Logger log = LoggerFactory.getLogger(WriterWatch.class);
    private static final Duration UNTIL_JOINED = Duration.ofSeconds(1);
    private static final Duration REST = Duration.ofMinutes(1);

    private final Lease lease;
    private final Supplier<Optional<Writers>> ask;
    private volatile Optional<Writers> known = Optional.empty();

    public WriterWatch(Lease lease, Servers servers) {
        this(lease, servers::writers);
    }

    /** @param ask empty: no server answered */
    WriterWatch(Lease lease, Supplier<Optional<Writers>> ask) {
        this.lease = lease;
        this.ask = ask;
    }

    @Override
    public Pass runOnce() {
        if (lease.current().isEmpty()) {
            return Pass.rest(UNTIL_JOINED);
        }
        Optional<Writers> now = ask.get();
        if (now.isPresent()) {
            Optional<String> before = problem();
            known = now;
            if (!before.equals(problem())) {
                problem().ifPresentOrElse(log::warn, () -> log.info("Only one database server takes writes again."));
            }
        }
        return Pass.rest(REST);
    }

    /** Returns whether the servers have been asked; before that, {@link #problem} is empty. */
    public boolean hasAsked() {
        return known.isPresent();
    }

    /** Returns what may happen and what to do, for people; empty while at most one server takes writes. */
    public Optional<String> problem() {
        return known.flatMap(Writers::problem);
    }
}
