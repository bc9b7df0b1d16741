package dev.rowlock.node.recorder;

import dev.rowlock.cluster.Lease;
import dev.rowlock.db.DataProblem;
import dev.rowlock.db.DatabaseUnavailable;
import dev.rowlock.node.BatchBisector;
import dev.rowlock.node.LocalTasks;
import dev.rowlock.node.Pass;
import dev.rowlock.node.RetryBackoff;
import dev.rowlock.node.Step;
import dev.rowlock.task.Ending;
import dev.rowlock.task.transition.Finish;
import dev.rowlock.task.transition.Finish.FinishResult;
import dev.rowlock.task.transition.Taker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Transition executing → history: takes results from the queue in batches, until the database takes them. A batch that
 * is refused is split until the refused result stands alone. That is tried once more without its reason; then its row
 * notes the error, and it is retried ever less often.
 */
public final class ResultRecorder implements Step {

    /** Time within which results share a transaction. */
    public static final Duration DEBOUNCE = Duration.ofMillis(50);

    private static final Logger log = LoggerFactory.getLogger(ResultRecorder.class);
    private static final Duration REST = Duration.ofSeconds(1);

    private final LocalTasks localTasks;
    private final Lease lease;
    private final ResultQueue queue;
    private final Finish finish;
    private final int batch;
    private final Consumer<RecordedResults> recorded;
    private final RetryBackoff<Ending> postponed;
    private volatile Function<Collection<Ending>, Optional<Taker>> takers = endings -> Optional.empty();

    /**
     * Recorded results.
     *
     * @param done needs no more recording
     * @param handed whether tasks were prepared for this node
     * @param frees whether there may be something to acquire
     */
    record RecordedResults(List<Ending> done, boolean handed, boolean frees) {

        /** Returns whether others of the job, a backfill's fire times among them, may have waited for one of these. */
        boolean endsTurn() {
            return done.stream()
                    .anyMatch(ending ->
                            ending.followUp() != null && ending.followUp().wakes());
        }

        private static final RecordedResults NOTHING = new RecordedResults(List.of(), false, false);

        static RecordedResults of(List<Ending> done, List<FinishResult> recordings) {
            return new RecordedResults(
                    done,
                    recordings.stream()
                            .anyMatch(recording -> !recording.handed().isEmpty()),
                    recordings.stream().anyMatch(FinishResult::frees));
        }

        /** Returns results where nothing is handed over: successors have to be looked for. */
        static RecordedResults of(List<Ending> done) {
            return new RecordedResults(done, false, done.stream().anyMatch(ending -> ending.followUp() != null));
        }
    }

    private record RecordedBatch(RecordedResults recorded, Pass pass) {}

    /** @param recorded receives everything that needs no more recording */
    public ResultRecorder(
            LocalTasks localTasks,
            Lease lease,
            ResultQueue queue,
            Finish finish,
            LongSupplier nanos,
            int batch,
            Consumer<RecordedResults> recorded) {
        this.localTasks = localTasks;
        this.lease = lease;
        this.queue = queue;
        this.finish = finish;
        this.batch = batch;
        this.recorded = recorded;
        this.postponed = new RetryBackoff<>(nanos, Ending::taskId, ending -> ending + " cannot be recorded");
    }

    /** Sets the source of takers for what comes next, used while this node has a session. */
    public void handOnTo(Function<Collection<Ending>, Optional<Taker>> those) {
        takers = those;
    }

    /** Records one batch. Without a session there is nothing to do: the next join records all that waits first. */
    @Override
    public Pass runOnce() {
        RecordedBatch now = localTasks.lockedForRecording(this::recordWaiting);
        if (!now.recorded().done().isEmpty()) {
            recorded.accept(now.recorded());
        }
        return now.pass();
    }

    private RecordedBatch recordWaiting() {
        List<Ending> results = next();
        if (results.isEmpty() || lease.current().isEmpty()) {
            return new RecordedBatch(RecordedResults.NOTHING, Pass.rest(REST));
        }
        List<FinishResult> recordings = postponed.run(results, this::recordAndHandOn, this::recordsAlone);
        List<Ending> done = results.stream()
                .filter(result -> !postponed.has(result.taskId()))
                .toList();
        forget(done);
        boolean more = results.size() >= batch || postponed.hasUntried();
        // what has come meanwhile ends the rest
        return new RecordedBatch(RecordedResults.of(done, recordings), more ? Pass.MORE : Pass.rest(REST));
    }

    /**
     * Returns the next batch. What could not be recorded is retried after a pause: the cause may have been repaired.
     */
    private List<Ending> next() {
        if (queue.isEmpty()) {
            postponed.clear();
        }
        if (postponed.size() == 0) {
            return queue.first(batch);
        }
        List<Ending> all = queue.all();
        LongPredicate isReady = postponed.ready(all.stream().map(Ending::taskId).collect(Collectors.toSet())::contains);
        return all.stream()
                .filter(result -> isReady.test(result.taskId()))
                .limit(batch)
                .toList();
    }

    /**
     * Records all that waits, before this node joins or leaves: what its session executed and has no result by then is
     * lost. Call while holding the recording lock. What the database refuses for its data stays in the queue, and its
     * row notes that.
     *
     * @throws DatabaseUnavailable what is not recorded yet stays in the queue
     * @throws RuntimeException likewise: some of it meets an error that may pass
     */
    public void recordAll() {
        List<Ending> left = queue.all();
        int most = batch;
        while (!left.isEmpty()) {
            List<Ending> part = left.subList(0, Math.min(most, left.size()));
            List<Ending> untried = recordBatch(part);
            if (!untried.isEmpty()) {
                most = Math.max(1, most / 2); // so much is refused that only less comes to an end
            }
            List<Ending> next = new ArrayList<>(untried);
            next.addAll(left.subList(part.size(), left.size()));
            left = next;
        }
    }

    /** Records a batch, and returns what there was no time for. */
    private List<Ending> recordBatch(List<Ending> results) {
        Set<Ending> refused = new HashSet<>();
        List<RuntimeException> problems = new ArrayList<>();
        BatchBisector.Rest<Ending> rest = BatchBisector.run(
                results,
                false,
                this::record,
                (result, problem) -> {
                    if (!recordsAlone(result, problem)) {
                        refused.add(result);
                    }
                },
                (result, problem) -> problems.add(problem));
        if (!problems.isEmpty()) {
            throw problems.get(0);
        }
        refused.addAll(rest.untried());
        List<Ending> done =
                results.stream().filter(result -> !refused.contains(result)).toList();
        forget(done);
        recorded.accept(RecordedResults.of(done));
        return rest.untried();
    }

    /**
     * Drops what is still queued, which was refused and set aside: the session that {@link #recordAll} was called for
     * has ended.
     */
    public void sessionEnded() {
        List<Ending> refused = queue.all();
        forget(refused);
        postponed.clear();
        recorded.accept(RecordedResults.of(refused));
    }

    private void forget(List<Ending> results) {
        queue.remove(results);
        results.forEach(result -> localTasks.dropExecuting(Objects.requireNonNull(result.launch())));
    }

    /** Records results, in one transaction with what comes next. */
    private FinishResult recordAndHandOn(List<Ending> results) {
        FinishResult result = finish.finish(results, takers.apply(results).orElse(null));
        localTasks.hand(result.handed());
        tell(result.tooLate());
        return result;
    }

    /** Records results in one transaction. */
    private void record(List<Ending> results) {
        tell(finish.finish(results));
    }

    /** Logs results that came too late. They are in other hands, or lost: history stays as it is. */
    private static void tell(List<Finish.TooLate> tooLate) {
        for (Finish.TooLate late : tooLate) {
            log.warn(
                    "the result of {} came too late: history says {}",
                    late.launch(),
                    late.found().isEmpty() ? "nothing (it was given back)" : late.found());
        }
    }

    /** Records one result, and returns false if it was refused, as its row notes. */
    private boolean recordsAlone(Ending result, DataProblem problem) {
        if (result.reason() != null) {
            try {
                record(List.of(result.withoutReason()));
                log.warn("{} is recorded without its reason", result, problem);
                return true;
            } catch (DataProblem e) {
                log.debug("{} is refused without its reason too", result, e);
            }
        }
        log.error("the database refuses {}", result, problem);
        finish.refused(result, String.valueOf(problem.getMessage()));
        return false;
    }
}
