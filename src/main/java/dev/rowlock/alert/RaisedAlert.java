package dev.rowlock.alert;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.definition.JobKey;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Alert as it is stored. */
public record RaisedAlert(
        long id,
        String rule,
        AlertCondition condition,
        String subject,
        @Nullable Long jobId,
        @Nullable JobKey job,
        Map<String, String> labels,
        @Nullable Long task,
        @Nullable String node,
        ObjectNode detail,
        Instant at,
        Instant raisedAt,
        @Nullable Instant closedAt,
        @Nullable String closedWhy,
        String sending) {

    public boolean isOpen() {
        return closedAt == null;
    }
}
