package dev.rowlock.support;

import dev.rowlock.audit.AuditQueries;
import dev.rowlock.cluster.store.SessionLog;
import dev.rowlock.db.Database;
import dev.rowlock.definition.JobKey;
import dev.rowlock.job.store.GroupStore;
import dev.rowlock.job.store.JobLives;
import dev.rowlock.report.explain.Explain;
import dev.rowlock.report.explain.Explanation;
import dev.rowlock.task.query.TaskQueries;
import dev.rowlock.task.store.Trails;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Asks for an explanation of rows of history, of the task and of the first and last fire time that it stands for. */
public final class ExplainedHistory {

    private static final String ROWS = "select id, namespace, job, outcome, reason, occurrences,"
            + " date_format(fire_time, '%Y-%m-%dT%H:%i:%s.%fZ') as fire_time,"
            + " date_format(last_fire_time, '%Y-%m-%dT%H:%i:%s.%fZ') as last_fire_time,"
            + " exists (select 1 from job_version v where v.namespace = h.namespace and v.name = h.job"
            + " and v.job_id <> h.job_id and v.valid_from < h.last_fire_time"
            + " and (v.valid_until is null or v.valid_until >= h.fire_time)) as name_given_again"
            + ", withdrawn from task_history h ";

    /** What people read of an explanation that is wrong; some are of five hundred attempts. */
    private static final int MOST_ATTEMPTS = 10;

    private final Rows rows;
    private final Explain explain;

    public ExplainedHistory(Rows rows, Database database) {
        this.rows = rows;
        this.explain = explain(database);
    }

    /** As the daemon makes it. */
    public static Explain explain(Database database) {
        return new Explain(
                new JobLives(database),
                new TaskQueries(database),
                new Trails(database),
                new SessionLog(database),
                new GroupStore(database),
                new AuditQueries(database));
    }

    /**
     * Where an explanation does not name the outcome and the reason that a row has.
     *
     * @param which a condition, or an order and a limit
     */
    public List<String> disagreements(String which) {
        List<String> found = new ArrayList<>();
        for (Map<String, @Nullable String> row : rows.all(ROWS + which)) {
            long id = Long.parseLong(text(row, "id"));
            JobKey job = new JobKey(text(row, "namespace"), text(row, "job"));
            check("task " + id, explain.task(id), row, id, true).ifPresent(found::add);
            if (text(row, "name_given_again").equals("1")
                    || text(row, "withdrawn").equals("1")) {
                continue; // who asks about the instant asks about the job that had the name then, or was to run
            }
            for (String time : List.of(text(row, "fire_time"), text(row, "last_fire_time"))) {
                check(job + " at " + time, explain.at(job, Instant.parse(time)), row, id, false)
                        .ifPresent(found::add);
            }
        }
        return found;
    }

    /** The same, of the tasks alone. */
    public List<String> ofTasks(String which) {
        List<String> found = new ArrayList<>();
        for (Map<String, @Nullable String> row : rows.all(ROWS + which)) {
            long id = Long.parseLong(text(row, "id"));
            check("task " + id, explain.task(id), row, id, true).ifPresent(found::add);
        }
        return found;
    }

    /** @param isAbout whether the summary is about this row, and not, perhaps, about another attempt */
    private static Optional<String> check(
            String what, Optional<Explanation> explained, Map<String, @Nullable String> row, long id, boolean isAbout) {
        if (explained.isEmpty()) {
            return Optional.of(what + ": nothing is said");
        }
        Explanation said = explained.get();
        String outcome = text(row, "outcome");
        @Nullable String reason = row.get("reason");
        boolean isThere = said.attempts().stream()
                .anyMatch(attempt -> attempt.id() == id
                        && outcome.equals(attempt.outcome())
                        && (reason == null || reason.equals(attempt.reason())));
        boolean isTold = !isAbout || said.summary().contains(outcome + (reason == null ? "" : ": " + reason));
        return isThere && isTold
                ? Optional.empty()
                : Optional.of(what + " is " + outcome + " (" + reason + "), but explained as: " + said.summary() + " "
                        + said.attempts().size() + " attempts, the first of them "
                        + said.attempts().stream().limit(MOST_ATTEMPTS).toList());
    }

    private static String text(Map<String, @Nullable String> row, String column) {
        return String.valueOf(row.get(column));
    }
}
