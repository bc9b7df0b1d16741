package dev.rowlock.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.support.Rows;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The proofs that plain SQL can give about jobs that fire each second, against what their commands say. */
final class Chain {

    private Chain() {}

    /** Every second from a job's first to its last is in history or still live, and each row names the next. */
    static void isComplete(Rows rows, String namespace) {
        assertThat(rows.all("""
                        select h.job, h.fire_time, h.last_fire_time, h.next_fire_time from task_history h
                         where h.namespace = '%1$s' and h.origin = '' and h.attempt = 1 and h.next_fire_time is not null
                           and not exists (select 1 from task_history n where n.job_id = h.job_id and n.origin = ''
                                            and n.fire_time = h.next_fire_time)
                           and not exists (select 1 from live_task n where n.job_id = h.job_id and n.origin = ''
                                            and n.fire_time = h.next_fire_time)
                        """.formatted(namespace)))
                .as("history rows whose next fire time is nowhere")
                .isEmpty();
        assertThat(rows.all("""
                        select h.job, h.fire_time, h.last_fire_time, h.next_fire_time from task_history h
                         where h.namespace = '%1$s' and h.origin = '' and h.attempt = 1
                           and h.next_fire_time <> h.last_fire_time + interval 1 second
                        """.formatted(namespace)))
                .as("rows that leave a second out")
                .isEmpty();
        assertThat(rows.all("""
                        select job, timestampdiff(second, min(fire_time), max(last_fire_time)) + 1 as seconds,
                               sum(if(attempt = 1, occurrences, 0)) as rows_
                          from task_history h
                         where namespace = '%1$s' and origin = ''
                           and not exists (select 1 from live_task t where t.job_id = h.job_id and t.origin = ''
                                            and t.fire_time <= h.fire_time)
                         group by job having seconds <> rows_
                        """.formatted(namespace)))
                .as("jobs with a second missing or doubled")
                .isEmpty();
    }

    /** What history says was started is what the commands say, no more and no less; nothing was started twice. */
    static void agrees(Rows rows, Marks marks, String namespace) throws Exception {
        List<Marks.Mark> starts = marks.starts(namespace);
        assertThat(Marks.doubles(starts)).as("started twice").isEmpty();
        Set<String> launched = starts.stream().map(Marks.Mark::launch).collect(Collectors.toCollection(TreeSet::new));
        Set<String> ended =
                marks.ends(namespace).stream().map(Marks.Mark::launch).collect(Collectors.toCollection(TreeSet::new));
        Set<String> succeeded = column(
                rows,
                "select launch_id from task_history where namespace = '" + namespace + "' and outcome = 'SUCCEEDED'");
        Set<String> known = column(
                rows,
                "select launch_id from task_history where namespace = '" + namespace
                        + "' and launch_id is not null union select launch_id from live_task where launch_id is not null");
        assertThat(known).as("launches that Rowlock knows").containsAll(launched);
        assertThat(ended).as("commands that came to their end").containsAll(succeeded);
    }

    private static Set<String> column(Rows rows, String sql) {
        Set<String> values = new TreeSet<>();
        for (Map<String, @Nullable String> row : rows.all(sql)) {
            values.add(String.valueOf(row.values().iterator().next()));
        }
        return values;
    }
}
