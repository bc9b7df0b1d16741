package dev.rowlock.access;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Token as people see it, without the token itself and its hash.
 *
 * @param namespaces that it is limited to; empty: all
 * @param expiresAt null: never
 * @param lastUsedAt to about a minute; null: not yet
 * @param previousWorksUntil until when the token before the last rotation works, too; null: it does not
 */
public record TokenView(
        String name,
        String role,
        List<String> namespaces,
        Instant createdAt,
        @Nullable Instant expiresAt,
        @Nullable Instant lastUsedAt,
        @Nullable Instant previousWorksUntil) {

    public TokenView {
        namespaces = List.copyOf(namespaces);
    }
}
