package dev.rowlock.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A definition as it is stored, perhaps by a newer version of Rowlock. What this version does not understand of it, a field or a value, is kept
 * as it is and written back, so that nothing is lost when an older node changes a job; but fire times and commands must not be made from it.
 *
 * @param definition what is understood, with defaults for the rest
 * @param foreign the fields that are not understood, as they are stored
 * @param problems what is not understood of them; empty: all of it is understood
 */
public record StoredDefinition(JobDefinition definition, Map<String, JsonNode> foreign, List<FieldProblem> problems) {

    private static final List<String> SAYS_WHEN = List.of("schedule", "zone", "daylightSaving", "startAt", "endAt");
    private static final ObjectMapper MAPPER = new ObjectMapper();

    public StoredDefinition {
        foreign = Map.copyOf(foreign);
        problems = List.copyOf(problems);
    }

    /** One that is understood. */
    public static StoredDefinition of(JobDefinition definition) {
        return new StoredDefinition(definition, Map.of(), List.of());
    }

    /**
     * Reads what {@link #text} wrote; never fails.
     *
     * @param paused kept in a column of its own
     */
    public static StoredDefinition read(JobKey key, String text, boolean paused) {
        List<FieldProblem> problems = new ArrayList<>();
        ObjectNode node = object(text, problems);
        node.put("namespace", key.namespace()).put("name", key.name()).put("paused", paused);
        Map<String, JsonNode> foreign = new TreeMap<>();
        for (Map.Entry<String, JsonNode> field : List.copyOf(node.properties())) {
            if (!DefinitionJson.KNOWN.contains(field.getKey())) {
                node.remove(field.getKey());
                if (!field.getValue().isNull()) { // which means the same as absence
                    foreign.put(field.getKey(), field.getValue());
                    problems.add(new FieldProblem(field.getKey(), "is not a field that this version knows"));
                }
            }
        }
        DefinitionReader reader = new DefinitionReader(node);
        JobDefinition definition = reader.read();
        for (FieldProblem problem : reader.problems()) {
            JsonNode value = node.get(top(problem));
            if (value != null) {
                foreign.put(top(problem), value);
            }
            problems.add(problem);
        }
        return new StoredDefinition(definition, foreign, problems);
    }

    /**
     * Reads what a person sent for this job. What it repeats of what is not understood is kept; all else must be acceptable.
     *
     * @throws InvalidDefinition with everything that is wrong
     */
    public StoredDefinition changedTo(ObjectNode sent) {
        if (isUnderstood()) {
            return of(DefinitionJson.parse(sent));
        }
        ObjectNode node = sent.deepCopy();
        Map<String, JsonNode> kept = new TreeMap<>();
        foreign.forEach((field, value) -> {
            if (value.equals(sent.get(field))) {
                kept.put(field, value);
                if (!DefinitionJson.KNOWN.contains(field)) {
                    node.remove(field);
                }
            }
        });
        DefinitionReader reader = new DefinitionReader(node);
        JobDefinition changed = reader.read();
        List<FieldProblem> wrong = reader.problems().stream()
                .filter(p -> !kept.containsKey(top(p)))
                .toList();
        if (!wrong.isEmpty()) {
            throw new InvalidDefinition(wrong);
        }
        StoredDefinition result = new StoredDefinition(
                changed,
                kept,
                problems.stream()
                        .filter(p -> kept.containsKey(p.field()) || kept.containsKey(top(p)))
                        .toList());
        DefinitionJson.checkSize(result.text());
        return result;
    }

    public StoredDefinition withPaused(boolean paused) {
        return new StoredDefinition(definition.withPaused(paused), foreign, problems);
    }

    /**
     * What it asks for; empty if this version does not understand what says when.
     *
     * @param createdAt of the job
     */
    public Optional<JobSchedule> schedule(Instant createdAt) {
        return SAYS_WHEN.stream().anyMatch(foreign::containsKey)
                ? Optional.empty()
                : Optional.of(JobSchedule.of(definition, createdAt));
    }

    /** Whether the same fields say when, all that is not understood included. */
    public boolean saysWhenLike(StoredDefinition other) {
        return foreign.equals(other.foreign)
                && definition.schedule().equals(other.definition.schedule())
                && definition.zone().equals(other.definition.zone())
                && definition.daylightSaving() == other.definition.daylightSaving()
                && Objects.equals(definition.startAt(), other.definition.startAt())
                && Objects.equals(definition.endAt(), other.definition.endAt());
    }

    public boolean isUnderstood() {
        return problems.isEmpty();
    }

    /** In one line, what is not understood. */
    public String problem() {
        return problems.stream()
                .map(p -> p.field().isEmpty() ? p.message() : p.field() + ": " + p.message())
                .collect(Collectors.joining("; "));
    }

    /** All of it, as people see it. */
    public ObjectNode json() {
        ObjectNode node = DefinitionJson.write(definition);
        new TreeMap<>(foreign).forEach(node::set);
        return node;
    }

    /** The text for the table: everything but {@code paused}, which has a column of its own. */
    public String text() {
        ObjectNode node = json();
        node.remove("paused");
        return node.toString();
    }

    private static ObjectNode object(String text, List<FieldProblem> problems) {
        try {
            if (MAPPER.readTree(text) instanceof ObjectNode object) {
                return object;
            }
        } catch (JsonProcessingException e) {
            problems.add(new FieldProblem("", "it is not JSON: " + e.getOriginalMessage()));
            return MAPPER.createObjectNode();
        }
        problems.add(new FieldProblem("", "it is not a JSON object"));
        return MAPPER.createObjectNode();
    }

    /** The field of the definition that a problem lies in. */
    private static String top(FieldProblem problem) {
        return problem.field().split("[.\\[]", 2)[0];
    }
}
