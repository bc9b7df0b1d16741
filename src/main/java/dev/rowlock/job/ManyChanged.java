package dev.rowlock.job;

import dev.rowlock.cluster.ClockInDoubt;
import dev.rowlock.definition.JobFilter;
import dev.rowlock.definition.JobKey;
import dev.rowlock.http.Refused;
import dev.rowlock.http.Refused.Reason;
import dev.rowlock.job.store.JobQueries;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Result of a request to change many jobs. Jobs are changed in the order of their names, some in one transaction, so
 * that nobody waits for all of them; if one of those cannot be changed, each of them alone. Repeating the request goes
 * on with what is left.
 *
 * @param matched how many jobs were found
 * @param changed how many of them are different now; others were as asked already
 * @param failed how many of them could not be changed
 * @param failures the first of those
 * @param stopped why the jobs after the last one found were left alone; null: there are none
 */
public record ManyChanged(
        long matched,
        long changed,
        long failed,
        List<FailedChange> failures,
        @Nullable String stopped) {

    private static final Logger log = LoggerFactory.getLogger(ManyChanged.class);

    private static final int PAGE = 500;
    /** Jobs per transaction, whose locks others wait for. */
    private static final int TOGETHER = 50;

    private static final int NAMED = 100;
    /** Failures in a row after which the cause is not in these jobs. */
    private static final int IN_A_ROW = 3;

    /** Pages of the jobs to change. */
    @FunctionalInterface
    interface Pages {
        JobFilter page(@Nullable JobKey after, int limit);
    }

    /** Job that could not be changed, and why. */
    public record FailedChange(String job, String problem) {}

    /** Change to make to jobs. */
    interface BulkChange {

        /**
         * Changes all of these in one transaction.
         *
         * @throws RuntimeException one of them cannot be changed, and none is
         */
        Together together(List<JobKey> jobs);

        /** Changes one job, and returns whether that made a difference. */
        boolean alone(JobKey job);
    }

    /** Numbers of jobs that existed, and of jobs that now differ. */
    record Together(long matched, long changed) {}

    static ManyChanged of(Pages which, JobQueries queries, Runnable afterEach, BulkChange change) {
        return new Count().of(which, queries, afterEach, change);
    }

    /** Running count. */
    private static final class Count {

        private long matched;
        private long changed;
        private long failed;
        private int inARow;
        private final List<FailedChange> failures = new ArrayList<>();
        private @Nullable RuntimeException stoppedBy;

        ManyChanged of(Pages which, JobQueries queries, Runnable afterEach, BulkChange change) {
            @Nullable JobKey after = null;
            boolean more = true;
            while (more && stoppedBy == null) {
                List<JobKey> page = next(which, queries, after);
                more = page.size() == PAGE;
                for (int from = 0; from < page.size() && stoppedBy == null; from += TOGETHER) {
                    List<JobKey> some = page.subList(from, Math.min(page.size(), from + TOGETHER));
                    if (!together(some, change)) {
                        alone(some, change, afterEach);
                    } else {
                        some.forEach(job -> afterEach.run());
                    }
                    after = some.get(some.size() - 1);
                }
            }
            if (stoppedBy != null && changed == 0) {
                throw stoppedBy;
            }
            String stopped =
                    stoppedBy == null ? null : stoppedBy.getMessage() + "; send the same request again to go on";
            return new ManyChanged(matched, changed, failed, List.copyOf(failures), stopped);
        }

        private List<JobKey> next(Pages which, JobQueries queries, @Nullable JobKey after) {
            try {
                return queries.keys(which.page(after, PAGE));
            } catch (RuntimeException e) {
                stoppedBy = e;
                return List.of();
            }
        }

        /**
         * Returns whether they were changed together; otherwise each is to be tried alone, to tell what is wrong with
         * it.
         */
        private boolean together(List<JobKey> jobs, BulkChange change) {
            try {
                Together done = change.together(jobs);
                matched += done.matched();
                changed += done.changed();
                inARow = 0;
                return true;
            } catch (RuntimeException e) {
                log.debug("{} jobs could not be changed together: {}", jobs.size(), e.toString());
                return false;
            }
        }

        private void alone(List<JobKey> jobs, BulkChange change, Runnable afterEach) {
            for (JobKey job : jobs) {
                add(job, change);
                if (stoppedBy != null) {
                    return;
                }
                afterEach.run();
            }
        }

        private void add(JobKey key, BulkChange change) {
            try {
                changed += change.alone(key) ? 1 : 0;
                matched++;
                inARow = 0;
            } catch (Refused e) {
                inARow = 0;
                if (e.reason() != Reason.NOT_FOUND) { // else it was deleted meanwhile
                    failed(key, e);
                }
            } catch (ClockInDoubt e) {
                stoppedBy = e;
            } catch (RuntimeException e) {
                log.warn("job {} could not be changed together with others: {}", key, e.toString());
                failed(key, e);
                inARow++;
                stoppedBy = inARow == IN_A_ROW ? e : null;
            }
        }

        private void failed(JobKey key, RuntimeException e) {
            matched++;
            failed++;
            if (failures.size() < NAMED) {
                failures.add(new FailedChange(key.toString(), String.valueOf(e.getMessage())));
            }
        }
    }
}
