package dev.rowlock.engine;

import dev.rowlock.cluster.Lease;
import dev.rowlock.store.Ending;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/** Executing → history: records results in batches, for ever until the database takes them. Results of a lost session wait for the next join. */
final class ResultRecorder implements Step {

    /** Results that come within so short a time share a transaction. */
    static final Duration CALM = Duration.ofMillis(50);

    private static final Duration REST = Duration.ofSeconds(1);
    private static final Duration FIRST_AGAIN = Duration.ofSeconds(2);
    private static final Duration LAST_AGAIN = Duration.ofMinutes(1);

    private final Holdings holdings;
    private final Lease lease;
    private final Lanes lanes;
    private final ResultJournal journal;
    private final LongSupplier nanos;
    private final int batch;
    private final Consumer<List<Ending>> recorded;
    /** When a result that could not be recorded is tried again, by task. */
    private final Map<Long, Again> again = new HashMap<>();

    /** @param after how long after the last try */
    private record Again(long nanos, Duration after) {}

    /** @param recorded told of everything that needs no more recording */
    ResultRecorder(
            Holdings holdings,
            Lease lease,
            Lanes lanes,
            ResultJournal journal,
            LongSupplier nanos,
            int batch,
            Consumer<List<Ending>> recorded) {
        this.holdings = holdings;
        this.lease = lease;
        this.lanes = lanes;
        this.journal = journal;
        this.nanos = nanos;
        this.batch = batch;
        this.recorded = recorded;
    }

    @Override
    public Pass runOnce() {
        List<Ending> results;
        List<Ending> done;
        holdings.recording.lock();
        try {
            results = waiting(lanes.width());
            if (holdings.results(1).isEmpty()) {
                again.clear(); // what joining again has delivered is not tried here again
            }
            if (results.isEmpty() || lease.current().isEmpty()) {
                return Pass.rest(REST);
            }
            done = record(results);
            journal.keepOnly(holdings::results);
        } finally {
            holdings.recording.unlock();
        }
        recorded.accept(done);
        return results.size() >= batch ? Pass.MORE : Pass.rest(REST); // what has come meanwhile ends the rest
    }

    /** Those that the database refused are tried again, less and less often: somebody may have mended what was wrong. */
    private List<Ending> waiting(int most) {
        if (again.isEmpty()) {
            return holdings.results(most);
        }
        long now = nanos.getAsLong();
        return holdings.results(Integer.MAX_VALUE).stream()
                .filter(ending -> {
                    Again at = again.get(ending.taskId());
                    return at == null || now - at.nanos() >= 0;
                })
                .limit(most)
                .toList();
    }

    private List<Ending> record(List<Ending> results) {
        List<Ending> unrecorded = lanes.record(results);
        unrecorded.forEach(ending ->
                again.merge(ending.taskId(), again(FIRST_AGAIN), (former, first) -> again(longer(former.after()))));
        Set<Long> left = unrecorded.stream().map(Ending::taskId).collect(Collectors.toSet());
        List<Ending> done = results.stream()
                .filter(ending -> !left.contains(ending.taskId()))
                .toList();
        for (Ending ending : done) {
            again.remove(ending.taskId());
            holdings.dropExecuting(Objects.requireNonNull(ending.launch()));
        }
        return done;
    }

    private Again again(Duration after) {
        return new Again(nanos.getAsLong() + after.toNanos(), after);
    }

    private static Duration longer(Duration after) {
        Duration twice = after.multipliedBy(2);
        return twice.compareTo(LAST_AGAIN) < 0 ? twice : LAST_AGAIN;
    }
}
