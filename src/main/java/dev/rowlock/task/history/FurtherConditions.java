package dev.rowlock.task.history;

import dev.rowlock.db.Conditions;
import dev.rowlock.definition.JobFilter;
import dev.rowlock.task.TaskFilter;

/** Conditions of a filter on {@code task t} or {@code task_history t} that have no index of their own. */
public final class FurtherConditions {

    private FurtherConditions() {}

    /** Adds the conditions. Live tasks have no duration, so a caller that filters by one leaves them out. */
    public static void add(Conditions where, TaskFilter filter) {
        add(where, filter, true);
    }

    /**
     * Adds the conditions.
     *
     * @param withCause false: for rows that all have the cause of the filter, as {@code job_next t}
     */
    public static void add(Conditions where, TaskFilter filter, boolean withCause) {
        where.add(
                "t.cause = :cause",
                "cause",
                !withCause || filter.cause() == null ? null : filter.cause().name());
        where.add(
                "t.duration_ms >= :minDuration",
                "minDuration",
                filter.minDuration() == null ? null : filter.minDuration().toMillis());
        addLabels(where, filter, "t.job_id");
    }

    /** Adds the conditions on the labels of a job, whose id is this column. */
    public static void addLabels(Conditions where, TaskFilter filter, String job) {
        for (int i = 0; i < filter.labels().size(); i++) {
            JobFilter.Label label = filter.labels().get(i);
            String found = "json_extract(l.definition, :path" + i + ")";
            String has = "exists (select 1 from job l force index (primary) where l.id = " + job + " and " + found;
            where.add(has + " is not null)", "path" + i, "$.labels.\"" + label.name() + "\"");
            where.add(
                    has + " is not null and json_unquote(" + found + ") = :label" + i + ")",
                    "label" + i,
                    label.value());
        }
    }
}
