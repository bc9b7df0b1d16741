package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.exec.LaunchSpec;
import dev.rowlock.support.Rows;
import dev.rowlock.task.Task;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What must hold of a cluster whatever happens to its connections. */
final class Invariants {

    private static final String OCCURRENCES = """
            select job_id, fire_time, last_fire_time, next_fire_time, occurrences, 0 as is_cursor, outcome as what
              from task_history where origin = '' and attempt = 1
            union all
            select job_id, fire_time, fire_time, next_fire_time, 1, cursor_of is not null, state
              from live_task where origin = '' and attempt = 1
             order by job_id, fire_time
            """;

    private final Rows rows;
    private final List<HandDrivenNode> nodes;

    Invariants(Rows rows, List<HandDrivenNode> nodes) {
        this.rows = rows;
        this.nodes = nodes;
    }

    void check() {
        noOccurrenceIsLostOrMadeTwice();
        nothingWasStartedTwice();
        memoryAndTableAgree();
        everySpanIsNoted();
    }

    /** So that whoever asks for a time finds the row that covers it. */
    void everySpanIsNoted() {
        assertThat(rows.all("select h.id, h.fire_time, h.last_fire_time from task_history h"
                        + " left join task_span s on s.task_id = h.id and s.last_fire_time = h.last_fire_time"
                        + " where h.last_fire_time > h.fire_time and s.task_id is null"))
                .isEmpty();
    }

    /** From the first fire time of each job to its cursor, each row names the next one, and nothing lies between them. */
    void noOccurrenceIsLostOrMadeTwice() {
        Map<String, @Nullable String> before = Map.of();
        for (Map<String, @Nullable String> row : rows.all(OCCURRENCES)) {
            boolean first = !row.get("job_id").equals(before.get("job_id"));
            if (!first) {
                assertThat(row.get("fire_time"))
                        .as("after %s came %s", before, row)
                        .isEqualTo(before.get("next_fire_time"))
                        .isGreaterThan(String.valueOf(before.get("last_fire_time")));
            } else if (!before.isEmpty()) {
                endsWithCursor(before);
            }
            before = row;
        }
        endsWithCursor(before);
    }

    private static void endsWithCursor(Map<String, @Nullable String> row) {
        assertThat(row.get("is_cursor")).as("the last row of a job: %s", row).isEqualTo("1");
    }

    /** Whatever the launch ids: one attempt at one occurrence was handed to the launchers of all nodes at most once. */
    void nothingWasStartedTwice() {
        Map<String, LaunchSpec> started = new HashMap<>();
        for (HandDrivenNode node : nodes) {
            for (LaunchSpec spec : node.processes.started) {
                String attempt = String.join(
                        " ",
                        spec.environment().get("ROWLOCK_JOB"),
                        spec.environment().get("ROWLOCK_FIRE_TIME"),
                        spec.environment().get("ROWLOCK_ATTEMPT"));
                assertThat(started.put(attempt, spec)).as(attempt).isNull();
            }
        }
    }

    void memoryAndTableAgree() {
        for (HandDrivenNode node : nodes) {
            node.lease.current().ifPresent(trust -> {
                Set<String> inTable = new TreeSet<>();
                rows.all("select concat(state, ' ', launch_id) as held from live_task where session_id = '"
                                + trust.sessionId() + "'")
                        .forEach(row -> inTable.add(String.valueOf(row.get("held"))));
                Set<String> inMemory = new TreeSet<>();
                for (Task task : node.prepared()) {
                    inMemory.add("PREPARED " + task.launch().text());
                }
                node.localTasks.executingLaunches().forEach(launch -> inMemory.add("EXECUTING " + launch.text()));
                assertThat(inMemory).as("held by " + trust).isEqualTo(inTable);
            });
        }
    }

    /** Once nothing runs any more: whatever was started has its row of history, under the launch id that it was started with. */
    void everythingStartedWasRecorded() {
        List<String> started = new ArrayList<>();
        nodes.forEach(node -> node.processes.started.forEach(
                spec -> started.add(spec.launchId().text())));
        List<@Nullable String> recorded =
                rows.all("select launch_id from task_history where started_at is not null").stream()
                        .map(row -> row.get("launch_id"))
                        .toList();
        assertThat(recorded).doesNotHaveDuplicates().containsAll(started);
    }
}
