package dev.rowlock.control;

import dev.rowlock.cluster.ClockInDoubt;
import dev.rowlock.job.StoredJob;
import dev.rowlock.job.Times;
import dev.rowlock.store.job.EndingPauses;
import dev.rowlock.store.job.EndingPauses.Ending;
import dev.rowlock.store.job.JobStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Resumes jobs whose pause was to last until now. Every node does so; under the lock of the job's shard only the first
 * one finds it still paused. For one thread at a time.
 */
public final class EndOfPauses {

    private static final Logger log = LoggerFactory.getLogger(EndOfPauses.class);

    /** How far ahead is looked: whoever makes a pause that ends sooner looks at once. */
    private static final Duration AHEAD = Duration.ofSeconds(5);

    private static final Duration AGAIN = Duration.ofSeconds(1);
    private static final int AT_ONCE = 200;

    private final EndingPauses pauses;
    private final JobStore store;
    /** Jobs that could not be resumed: others go first. */
    private final Set<Long> failing = new HashSet<>();

    public EndOfPauses(EndingPauses pauses, JobStore store) {
        this.pauses = pauses;
        this.store = store;
    }

    /**
     * Resumes what is to be resumed by now.
     *
     * @return after which time to ask again; zero: at once, as some were resumed and more may be
     */
    public Duration resume() {
        List<Ending> found = pauses.within(AHEAD, AT_ONCE);
        List<Ending> over =
                new ArrayList<>(found.stream().filter(EndOfPauses::isOver).toList());
        if (over.isEmpty()) {
            failing.clear();
            return found.stream().map(Ending::left).findFirst().orElse(AHEAD);
        }
        Collections.shuffle(over); // nodes that begin with different jobs are done sooner
        over.sort(Comparator.comparing(ending -> failing.contains(ending.job())));
        int resumed = 0;
        try {
            for (Ending ending : over) {
                resumed += end(ending) ? 1 : 0;
            }
        } catch (ClockInDoubt e) {
            log.debug("no job is resumed: {}", e.getMessage());
            return AGAIN;
        }
        return resumed > 0 ? Duration.ZERO : AGAIN;
    }

    private static boolean isOver(Ending ending) {
        return ending.left().isNegative() || ending.left().isZero();
    }

    private boolean end(Ending ending) {
        if (!ending.meant()) {
            pauses.forget(ending);
            return false;
        }
        failing.add(ending.job());
        boolean resumed = resume(ending);
        failing.remove(ending.job());
        return resumed;
    }

    private boolean resume(Ending ending) {
        Optional<StoredJob> seen =
                store.find(ending.key()).filter(job -> job.version() == ending.version() && job.id() == ending.job());
        if (seen.isEmpty()) {
            return false; // another node was first, or somebody changed it
        }
        if (!seen.get().stored().isUnderstood()) {
            log.debug("job {} is left to nodes that understand it: its pause is over", ending.key());
            return false;
        }
        Edit edit = Edit.ofPauseOver(seen.get());
        boolean resumed = store.change(ending.key(), "resuming", edit::carryOut)
                .flatMap(job -> job)
                .isPresent();
        if (resumed) {
            log.info(
                    "job {} resumes: it was paused until {}",
                    ending.key(),
                    Times.orNull(seen.get().pause().until()));
        }
        return resumed;
    }
}
