package dev.rowlock.task.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.definition.Overlap;
import dev.rowlock.support.TaskBuilder;
import dev.rowlock.task.Cause;
import dev.rowlock.task.Hold;
import dev.rowlock.task.Task;
import dev.rowlock.task.TaskState;
import dev.rowlock.task.rule.FireDecision.StartFacts;
import dev.rowlock.task.rule.WakeDecision.FreedResource;
import dev.rowlock.task.rule.WakeDecision.WakeRules;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Where the tasks that come first are said to decide, they decide as all live tasks of the job would. */
class DecidedByFirstTest {

    private static final int TIMES = 20_000;

    private final Random random = new Random(20_26);

    @Test
    void what_is_fired() {
        int decidedByFirst = 0;
        for (int i = 0; i < TIMES; i++) {
            List<Task> all = tasks();
            FirePolicy policy = policy();
            boolean mayWait = random.nextBoolean();
            List<StartFacts> fired = all.stream()
                    .filter(task -> task.state() == TaskState.PREPARED && random.nextInt(3) > 0)
                    .map(task -> new StartFacts(
                            task,
                            Duration.ZERO,
                            random.nextInt(8) > 0,
                            true,
                            null,
                            null,
                            null,
                            null,
                            policy,
                            mayWait,
                            null))
                    .toList();
            List<Task> claimed = fired.stream().map(StartFacts::task).toList();
            List<Task> first = new ArrayList<>(first(all, task -> !isKept(task) && !claimed.contains(task)));
            first.addAll(claimed);
            if (fired.stream()
                    .allMatch(task -> task.concernsOthers() && !task.concernsAll() && task.isDecidedBy(first))) {
                decidedByFirst += fired.isEmpty() ? 0 : 1;
                assertThat(decide(fired, first)).as("%s of %s", fired, all).isEqualTo(decide(fired, all));
            }
        }
        assertThat(decidedByFirst).isGreaterThan(TIMES / 10);
    }

    @Test
    void what_is_woken() {
        int decidedByFirst = 0;
        for (int i = 0; i < TIMES; i++) {
            List<Task> all = tasks();
            List<Task> first =
                    first(all, task -> task.hold() == null ? task.queued() || task.isFurtherAttempt() : !isKept(task));
            if (WakeDecision.isDecidedBy(first)) {
                decidedByFirst++;
                Map<Long, Overlap> overlaps = new HashMap<>();
                all.forEach(task -> overlaps.put(task.id(), pick(Overlap.QUEUE, Overlap.REPLACE)));
                WakeRules rules = new WakeRules(null, overlaps);
                assertThat(WakeDecision.isAmbiguous(first)).isFalse();
                assertThat(WakeDecision.of(first, FreedResource.TURN, rules))
                        .as(all.toString())
                        .isEqualTo(WakeDecision.of(all, FreedResource.TURN, rules));
            }
        }
        assertThat(decidedByFirst).isGreaterThan(TIMES / 10);
    }

    /** Those that execute, and the earliest of the others that matter: as the statement reads them. */
    private static List<Task> first(List<Task> all, Predicate<Task> matters) {
        Instant earliest = all.stream()
                .filter(task -> !task.isExecuting() && matters.test(task))
                .map(Task::fireTime)
                .min(Instant::compareTo)
                .orElse(Instant.MAX);
        return Stream.concat(
                        all.stream().filter(Task::isExecuting),
                        all.stream()
                                .filter(task -> !task.isExecuting()
                                        && matters.test(task)
                                        && task.fireTime().equals(earliest)))
                .toList();
    }

    private static boolean isKept(Task task) {
        return task.hold() == Hold.PAUSE || task.hold() == Hold.ERROR;
    }

    private static List<String> decide(List<StartFacts> fired, Collection<Task> known) {
        return FireDecision.of(
                        fired,
                        new FireDecision.Shared(
                                Instant.ofEpochSecond(100),
                                Duration.ofHours(1),
                                100,
                                "me",
                                Map.of(1L, List.copyOf(known)),
                                Map.of(),
                                Map.of(),
                                Map.of()))
                .stream()
                .map(d -> d.kind() + " " + d.hold() + " by " + d.by() + " " + d.displaced())
                .toList();
    }

    private FirePolicy policy() {
        Overlap overlap = pick(Overlap.SKIP, Overlap.ALLOW, Overlap.QUEUE, Overlap.QUEUE, Overlap.REPLACE);
        int limit = 1 + random.nextInt(3);
        boolean retries = random.nextInt(4) == 0;
        @Nullable Integer perNode = random.nextInt(4) == 0 ? Integer.valueOf(2) : null;
        return new FirePolicy(overlap, limit, null, null, retries, null, perNode, null, 0, null, true);
    }

    private List<Task> tasks() {
        return IntStream.range(1, 2 + random.nextInt(8)).mapToObj(this::task).toList();
    }

    /** Some fire times are the same. */
    private Task task(int id) {
        Cause cause = pick(Cause.SCHEDULE, Cause.SCHEDULE, Cause.RETRY, Cause.RECOVERY, Cause.CATCH_UP);
        TaskState state = pick(TaskState.IDLE, TaskState.IDLE, TaskState.PREPARED, TaskState.EXECUTING);
        @Nullable
        Hold hold = state != TaskState.IDLE || random.nextInt(4) == 0
                ? null
                : pick(Hold.OVERLAP, Hold.GROUP, Hold.NODE, Hold.PAUSE, Hold.ERROR);
        boolean waited = hold == Hold.OVERLAP || hold == Hold.GROUP || hold == Hold.NODE;
        return TaskBuilder.task(id, Instant.ofEpochSecond(1 + random.nextInt(9)))
                .version(1 + random.nextInt(2))
                .origin(random.nextInt(4) == 0 ? "run:x" : "")
                .cause(cause)
                .state(state)
                .hold(hold)
                .queued(waited || random.nextInt(3) == 0)
                .session(state == TaskState.EXECUTING ? pick("me", "other") : null)
                .build();
    }

    @SafeVarargs
    private <T> T pick(T... some) {
        return some[random.nextInt(some.length)];
    }
}
