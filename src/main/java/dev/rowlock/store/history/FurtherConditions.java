package dev.rowlock.store.history;

import dev.rowlock.db.Conditions;
import dev.rowlock.job.JobFilter;
import dev.rowlock.job.TaskFilter;

/** What a filter asks of {@code task t} or {@code task_history t} that has no index of its own. */
public final class FurtherConditions {

    private FurtherConditions() {}

    /** Adds it. Live tasks have no duration, so who asks for one leaves them out. */
    public static void add(Conditions where, TaskFilter filter) {
        add(where, filter, true);
    }

    /** @param withCause false: of rows that all have the cause that is asked for, as {@code job_next t} */
    public static void add(Conditions where, TaskFilter filter, boolean withCause) {
        where.add(
                "t.cause = :cause",
                "cause",
                !withCause || filter.cause() == null ? null : filter.cause().name());
        where.add(
                "t.duration_ms >= :minDuration",
                "minDuration",
                filter.minDuration() == null ? null : filter.minDuration().toMillis());
        for (int i = 0; i < filter.labels().size(); i++) {
            JobFilter.Label label = filter.labels().get(i);
            String found = "json_extract(l.definition, :path" + i + ")";
            String has = "exists (select 1 from job l force index (primary) where l.id = t.job_id and " + found;
            where.add(has + " is not null)", "path" + i, "$.labels.\"" + label.name() + "\"");
            where.add(
                    has + " is not null and json_unquote(" + found + ") = :label" + i + ")",
                    "label" + i,
                    label.value());
        }
    }
}
