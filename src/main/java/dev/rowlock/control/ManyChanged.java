package dev.rowlock.control;

import dev.rowlock.cluster.ClockInDoubt;
import dev.rowlock.control.Refused.Reason;
import dev.rowlock.job.JobFilter;
import dev.rowlock.job.JobKey;
import dev.rowlock.store.job.JobQueries;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What became of a request to change many jobs. Jobs are changed one by one in the order of their names, so that nobody
 * waits for all of them; to ask again goes on with what is left.
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
        List<Failure> failures,
        @Nullable String stopped) {

    private static final Logger log = LoggerFactory.getLogger(ManyChanged.class);

    private static final int PAGE = 500;
    private static final int NAMED = 100;
    /** Then it is not about these jobs. */
    private static final int IN_A_ROW = 3;

    /** Which jobs are to be changed, page by page. */
    @FunctionalInterface
    interface Pages {
        JobFilter page(@Nullable JobKey after, int limit);
    }

    /** A job that could not be changed, and why. */
    public record Failure(String job, String problem) {}

    /** @param change answers whether the job is different now */
    static ManyChanged of(Pages which, JobQueries queries, Runnable afterEach, Predicate<JobKey> change) {
        return new Count().of(which, queries, afterEach, change);
    }

    /** What is counted on the way. */
    private static final class Count {

        private long matched;
        private long changed;
        private long failed;
        private int inARow;
        private final List<Failure> failures = new ArrayList<>();
        private @Nullable RuntimeException stoppedBy;

        ManyChanged of(Pages which, JobQueries queries, Runnable afterEach, Predicate<JobKey> change) {
            @Nullable JobKey after = null;
            boolean more = true;
            while (more && stoppedBy == null) {
                List<JobKey> page = next(which, queries, after);
                more = page.size() == PAGE;
                for (JobKey key : page) {
                    add(key, change);
                    if (stoppedBy != null) {
                        break;
                    }
                    afterEach.run();
                    after = key;
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

        private void add(JobKey key, Predicate<JobKey> change) {
            try {
                changed += change.test(key) ? 1 : 0;
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
                failures.add(new Failure(key.toString(), String.valueOf(e.getMessage())));
            }
        }
    }
}
