package dev.rowlock.job;

import dev.rowlock.cluster.ClockInDoubt;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.StoredJob;
import dev.rowlock.job.store.EndingPauses;
import dev.rowlock.job.store.EndingPauses.ExpiringPause;
import dev.rowlock.job.store.JobChange;
import dev.rowlock.job.store.ManyJobs;
import dev.rowlock.job.store.ManyJobs.Changes;
import dev.rowlock.task.store.JobAtVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Automatic end of pauses, many in one transaction: a job resumed long after its fire time has a misfire. Every node
 * does so; under the locks of the jobs' stripes only the first one finds them still paused. For one thread at a time.
 */
public final class EndOfPauses {

    private static final Logger log = LoggerFactory.getLogger(EndOfPauses.class);

    /** Time looked ahead: whoever makes a pause that ends sooner triggers a look at once. */
    private static final Duration AHEAD = Duration.ofSeconds(5);

    private static final Duration AGAIN = Duration.ofSeconds(1);
    private static final int AT_ONCE = 2_000;
    private static final int TOGETHER = 200;

    private final EndingPauses pauses;
    private final ManyJobs jobs;
    /**
     * Jobs that could not be resumed, or shared a batch with one that could not: others go first, and each of these
     * alone.
     */
    private final Set<Long> failing = new HashSet<>();
    /** End up to which all pauses were looked at, with the rest left to other nodes; null: none. */
    private @Nullable ExpiringPause behind;

    public EndOfPauses(EndingPauses pauses, ManyJobs jobs) {
        this.pauses = pauses;
        this.jobs = jobs;
    }

    /**
     * Resumes the jobs that are due to resume.
     *
     * @return after which time to ask again; zero: at once, as some were resumed and more may be
     */
    public Duration resume() {
        List<ExpiringPause> found = pauses.within(AHEAD, behind, AT_ONCE);
        List<ExpiringPause> over = found.stream().filter(EndOfPauses::isOver).toList();
        if (over.isEmpty() && behind == null) {
            failing.clear();
            return found.stream().map(ExpiringPause::left).findFirst().orElse(AHEAD);
        }
        int resumed = 0;
        try {
            for (List<ExpiringPause> batch : batches(over)) {
                resumed += resume(batch);
            }
        } catch (ClockInDoubt e) {
            log.debug("no job is resumed: {}", e.getMessage());
            return AGAIN;
        }
        behind = over.size() == AT_ONCE ? over.get(AT_ONCE - 1) : null;
        return resumed > 0 || behind != null ? Duration.ZERO : AGAIN;
    }

    private static boolean isOver(ExpiringPause ending) {
        return ending.left().isNegative() || ending.left().isZero();
    }

    /**
     * Splits into batches of one end each, as history is read as of that, and of few stripes. Nodes that begin with
     * different ones are done sooner.
     */
    private List<List<ExpiringPause>> batches(List<ExpiringPause> over) {
        int turn = ThreadLocalRandom.current().nextInt();
        List<ExpiringPause> inTurn = over.stream()
                .sorted(Comparator.comparing((ExpiringPause ending) -> failing.contains(ending.job()))
                        .thenComparing(ExpiringPause::until)
                        .thenComparing(ending -> ending.stripe() ^ turn))
                .toList();
        List<List<ExpiringPause>> batches = new ArrayList<>();
        for (ExpiringPause ending : inTurn) {
            List<ExpiringPause> last = batches.isEmpty() ? List.of() : batches.get(batches.size() - 1);
            if (last.isEmpty()
                    || last.size() == TOGETHER
                    || failing.contains(ending.job())
                    || !last.get(0).until().equals(ending.until())) {
                last = new ArrayList<>();
                batches.add(last);
            }
            last.add(ending);
        }
        return batches;
    }

    private int resume(List<ExpiringPause> batch) {
        List<Long> ids = batch.stream().map(ExpiringPause::job).toList();
        failing.addAll(ids);
        List<JobKey> resumed =
                jobs.change(ids, "resuming " + ids.size() + " jobs", changes -> carryOut(batch, changes));
        ids.forEach(failing::remove);
        resumed.forEach(job -> log.debug("job {} resumes", job));
        if (!resumed.isEmpty()) {
            log.info(
                    "{} resumes: it was paused until {}",
                    resumed.size() == 1
                            ? "job " + resumed.get(0)
                            : "each of " + resumed.size() + " jobs, as " + resumed.get(0) + ",",
                    batch.get(0).until());
        }
        return resumed.size();
    }

    /**
     * Resumes a batch, except jobs that are gone or of another version: another node was first, or somebody changed
     * them.
     */
    private static List<JobKey> carryOut(List<ExpiringPause> batch, Changes changes) {
        Map<JobKey, JobAtVersion> there =
                changes.versions(batch.stream().map(ExpiringPause::key).collect(Collectors.toSet()));
        List<Long> asSeen = batch.stream()
                .filter(ending -> new JobAtVersion(ending.job(), ending.version()).equals(there.get(ending.key())))
                .map(ExpiringPause::job)
                .toList();
        List<JobKey> resumed = new ArrayList<>();
        changes.changeAll(asSeen, change -> carryOut(change).ifPresent(job -> resumed.add(job.key())));
        return resumed;
    }

    private static Optional<StoredJob> carryOut(JobChange change) {
        StoredJob job = change.job();
        if (!job.stored().isUnderstood()) {
            log.debug("job {} is left to nodes that understand it: its pause is over", job.key());
            return Optional.empty();
        }
        return Edit.ofPauseOver(job).carryOut(change);
    }
}
