package dev.rowlock.engine.result;

import dev.rowlock.cluster.Lease;
import dev.rowlock.engine.LocalTasks;
import dev.rowlock.engine.Pass;
import dev.rowlock.engine.Postponed;
import dev.rowlock.engine.Step;
import dev.rowlock.store.history.Ending;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;

/** Executing → history: records results in batches, for ever until the database takes them. Results of a lost session wait for the next join. */
public final class ResultRecorder implements Step {

    /** Results that come within so short a time share a transaction. */
    public static final Duration CALM = Duration.ofMillis(50);

    private static final Duration REST = Duration.ofSeconds(1);

    private final LocalTasks localTasks;
    private final Lease lease;
    private final Lanes lanes;
    private final ResultJournal journal;
    private final Postponed<Ending> postponed;
    private final int batch;
    private final Consumer<List<Ending>> recorded;

    /** What one pass did: how many results it tried to record, and those that need no more recording. */
    private record Recorded(int tried, List<Ending> done) {}

    /** @param recorded told of everything that needs no more recording */
    public ResultRecorder(
            LocalTasks localTasks,
            Lease lease,
            Lanes lanes,
            ResultJournal journal,
            Postponed<Ending> postponed,
            int batch,
            Consumer<List<Ending>> recorded) {
        this.localTasks = localTasks;
        this.lease = lease;
        this.lanes = lanes;
        this.journal = journal;
        this.postponed = postponed;
        this.batch = batch;
        this.recorded = recorded;
    }

    @Override
    public Pass runOnce() {
        Recorded pass = localTasks.lockedForRecording(this::recordWaiting);
        if (pass.tried() == 0) {
            return Pass.rest(REST);
        }
        recorded.accept(pass.done());
        return pass.tried() >= batch || postponed.hasUntried()
                ? Pass.MORE
                : Pass.rest(REST); // what has come meanwhile ends the rest
    }

    private Recorded recordWaiting() {
        List<Ending> results = waiting(lanes.width());
        if (localTasks.results(1).isEmpty()) {
            postponed.clear(); // what joining again has delivered is not tried here again
        }
        if (results.isEmpty() || lease.current().isEmpty()) {
            return new Recorded(0, List.of());
        }
        List<Ending> done = record(results);
        journal.keepOnly(localTasks::results);
        return new Recorded(results.size(), done);
    }

    /** What could not be recorded has its turn after a pause: somebody may have mended what was wrong. */
    private List<Ending> waiting(int most) {
        if (postponed.size() == 0) {
            return localTasks.results(most);
        }
        List<Ending> all = localTasks.results(Integer.MAX_VALUE);
        LongPredicate turn = postponed.turn(all.stream().map(Ending::taskId).collect(Collectors.toSet())::contains);
        return all.stream()
                .filter(ending -> turn.test(ending.taskId()))
                .limit(most)
                .toList();
    }

    private List<Ending> record(List<Ending> results) {
        Set<Long> left = lanes.record(results).stream().map(Ending::taskId).collect(Collectors.toSet());
        List<Ending> done = results.stream()
                .filter(ending -> !left.contains(ending.taskId()))
                .toList();
        done.forEach(ending -> localTasks.dropExecuting(Objects.requireNonNull(ending.launch())));
        return done;
    }
}
