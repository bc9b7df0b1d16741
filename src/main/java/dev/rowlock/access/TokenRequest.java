package dev.rowlock.access;

import static dev.rowlock.field.Field.optional;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.definition.JobFieldTypes;
import dev.rowlock.field.FieldTable;
import dev.rowlock.field.FieldType;
import dev.rowlock.field.InvalidDefinition;
import dev.rowlock.field.Place;
import dev.rowlock.field.Suggestion;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Request for a token.
 *
 * @param name never null once it was read, as the role
 * @param namespaces that it is limited to; empty: all
 * @param expiresIn from now on; null, as {@code expiresAt}: it does not expire
 */
public record TokenRequest(
        @Nullable String name,
        @Nullable String role,
        Set<String> namespaces,
        @Nullable Duration expiresIn,
        @Nullable Instant expiresAt) {

    /** Most namespaces of a token: lists are read from each of them. */
    private static final int MOST_NAMESPACES = 20;

    private static final List<String> ROLES = List.of("viewer", "operator", "editor", "admin");
    private static final String WORDS = String.join(", ", ROLES);

    public static final FieldTable<TokenRequest> TABLE = new FieldTable<>(
            "a token",
            TokenRequest.class,
            List.of(
                    optional("name", JobFieldTypes.name(64), null, "what the audit and refusals call it"),
                    optional(
                            "role",
                            FieldType.text(20)
                                    .checked(WORDS, TokenRequest::roleProblem)
                                    .shown(Map.of("type", "string", "enum", ROLES)),
                            null,
                            "what it may do"),
                    optional("namespaces", someNamespaces(), Set.of(), "what it is limited to; left out: all"),
                    optional("expiresIn", FieldType.duration("1s", "36500d"), null, "how long it works"),
                    optional("expiresAt", FieldType.instant(), null, "until when it works")),
            List.of("createdAt", "lastUsedAt"));

    public static final FieldTable<Rotation> ROTATION = new FieldTable<>(
            "a rotation",
            Rotation.class,
            List.of(
                    optional(
                            "overlap",
                            FieldType.duration("0s", "30d"),
                            Duration.ofDays(1),
                            "how long the token before works, too"),
                    optional("expiresIn", FieldType.duration("1s", "36500d"), null, "how long the new one works"),
                    optional("expiresAt", FieldType.instant(), null, "until when the new one works")),
            List.of());

    /**
     * Request for a new token under an old name.
     *
     * @param overlap how long the one before works, too
     * @param expiresIn null, as {@code expiresAt}: it expires when the one before would have
     */
    public record Rotation(
            Duration overlap,
            @Nullable Duration expiresIn,
            @Nullable Instant expiresAt) {}

    /** @throws InvalidDefinition with everything that is wrong */
    public static TokenRequest parse(ObjectNode sent) {
        Place whole = new Place("", new ArrayList<>());
        TABLE.refuseUnknown(sent, Set.of(), whole);
        TokenRequest read = TABLE.read(sent, whole);
        if (read.name == null && !sent.hasNonNull("name")) {
            whole.field("name").refuse("is required: what the audit is to call it, such as deploy-pipeline");
        }
        if (read.role == null && !sent.hasNonNull("role")) {
            whole.field("role").refuse("is required: one of " + WORDS);
        }
        either(read.expiresIn, read.expiresAt, whole);
        InvalidDefinition.throwIfAny(whole.problems());
        return read;
    }

    /** @throws InvalidDefinition with everything that is wrong */
    public static Rotation rotation(ObjectNode sent) {
        Place whole = new Place("", new ArrayList<>());
        ROTATION.refuseUnknown(sent, Set.of(), whole);
        Rotation read = ROTATION.read(sent, whole);
        either(read.expiresIn, read.expiresAt, whole);
        InvalidDefinition.throwIfAny(whole.problems());
        return read;
    }

    private static void either(@Nullable Duration in, @Nullable Instant at, Place whole) {
        if (in != null && at != null) {
            whole.field("expiresAt").refuse("says the same as expiresIn; leave one of them out");
        }
    }

    private static @Nullable String roleProblem(String role) {
        return ROLES.contains(role) ? null : "'" + role + "' is not one of " + WORDS + Suggestion.of(role, ROLES);
    }

    private static FieldType<Set<String>> someNamespaces() {
        FieldType<String> one = JobFieldTypes.name(64);
        return new FieldType<>(
                        "a list of 1 to " + MOST_NAMESPACES + " namespaces",
                        (value, place) -> {
                            if (!value.isArray() || value.isEmpty() || value.size() > MOST_NAMESPACES) {
                                return place.refuse("must be a list of 1 to " + MOST_NAMESPACES
                                        + " namespaces, such as [\"billing\"]; leave it out for all");
                            }
                            Set<String> names = new TreeSet<>();
                            for (int i = 0; i < value.size(); i++) {
                                JsonNode element = value.get(i);
                                String name = one.read(element, place.element(i));
                                if (name != null) {
                                    names.add(name);
                                }
                            }
                            return Collections.unmodifiableSet(names);
                        },
                        names -> {
                            ArrayNode list = JsonNodeFactory.instance.arrayNode();
                            names.forEach(list::add);
                            return list;
                        })
                .shown(Map.of("type", "array", "minItems", 1, "maxItems", MOST_NAMESPACES, "items", one.schema()));
    }
}
