package dev.rowlock.alert;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.definition.JobKey;
import dev.rowlock.field.Times;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Event that a rule is about.
 *
 * @param subject what it happened to
 * @param event what tells it from the next of its kind, of all subjects
 * @param detail what a message says of it
 */
public record AlertEvent(
        AlertCondition condition,
        String subject,
        String event,
        @Nullable JobPlace job,
        @Nullable String node,
        Instant at,
        ObjectNode detail) {

    /** @param task null: it is about the job as a whole */
    public record JobPlace(
            long id,
            JobKey key,
            Map<String, String> labels,
            @Nullable Long task) {}

    /** Describes a run that ended. */
    public static AlertEvent of(AlertCondition condition, JobRun run, int streak) {
        ObjectNode detail = JsonNodeFactory.instance.objectNode();
        detail.put("outcome", run.outcome().name());
        detail.put("reason", run.reason());
        detail.put("fireTime", Times.text(run.fireTime()));
        detail.put("startedAt", Times.orNull(run.startedAt()));
        detail.put("endedAt", Times.text(run.endedAt()));
        detail.put("attempt", run.attempt());
        detail.put("exitCode", run.exitCode());
        detail.put("durationMs", run.durationMillis());
        if (streak > 0) {
            detail.put("streak", streak);
        }
        String event = condition == AlertCondition.NEVER_SUCCEEDED ? "job:" + run.job() : String.valueOf(run.task());
        return new AlertEvent(
                condition,
                run.subject(),
                event,
                new JobPlace(run.job(), run.key(), run.labels(), run.task()),
                run.node(),
                run.endedAt(),
                detail);
    }
}
