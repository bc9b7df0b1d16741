package dev.rowlock.task.store;

import static dev.rowlock.db.JsonRows.row;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.JsonRows;
import dev.rowlock.job.LaunchId;
import dev.rowlock.task.store.FireDecisions.Displaced;
import java.util.List;
import java.util.Objects;
import org.jdbi.v3.core.Handle;

/** Requests to end executing tasks, within the transaction that holds what replaces them. */
final class Replacing {

    private static final String NOTE = """
            update json_table(:rows, '$[*]' columns (id bigint path '$[0]', replaced_by bigint path '$[1]')) v
              straight_join task t force index (primary) on t.id = v.id
               set t.replaced_by = v.replaced_by
             where t.state = 'EXECUTING' and t.replaced_by is null
            """;
    /** Request that lets an earlier one stand: by a person, or for the task that replaced it first. */
    private static final String ASK = """
            insert ignore into task_request (session_id, launch_id, kind, requested_at, replaced_by)
            select v.session, v.launch, 'KILL', utc_timestamp(3), v.replaced_by
              from json_table(:rows, '$[*]' columns (
                     replaced_by bigint path '$[0]', session varchar(24) character set ascii path '$[1]',
                     launch varchar(48) character set ascii path '$[2]')) v
            """;

    private Replacing() {}

    /** Requests the ends, and returns the launch ids, so that those that run here need not wait for the request. */
    static List<LaunchId> ask(Handle handle, List<Displaced> tasks) {
        if (tasks.isEmpty()) {
            return List.of();
        }
        update(handle, NOTE, "rows", JsonRows.of(tasks, d -> row(d.task().id(), d.by().id())));
        update(
                handle,
                ASK,
                "rows",
                JsonRows.of(
                        tasks,
                        d -> row(d.by().id(), d.task().session(), launch(d).text())));
        return tasks.stream().map(Replacing::launch).toList();
    }

    private static LaunchId launch(Displaced displaced) {
        return Objects.requireNonNull(displaced.task().launch());
    }
}
