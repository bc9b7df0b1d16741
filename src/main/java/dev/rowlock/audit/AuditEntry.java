package dev.rowlock.audit;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Change that somebody made.
 *
 * @param role that whoever it was had at that time
 * @param requestId the same for all that one request changed
 * @param namespace null: what was changed belongs to none
 * @param before the fields that changed, as they were; null: it was not there
 * @param after the same afterwards; null: it is not there any more
 */
public record AuditEntry(
        long id,
        Instant at,
        String who,
        String role,
        String address,
        String requestId,
        String action,
        String kind,
        @Nullable String namespace,
        String name,
        @Nullable JsonNode before,
        @Nullable JsonNode after) {}
