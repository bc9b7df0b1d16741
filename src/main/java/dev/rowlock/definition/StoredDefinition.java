package dev.rowlock.definition;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.field.FieldProblem;
import dev.rowlock.field.InvalidDefinition;
import dev.rowlock.field.Place;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Definition as it is stored, perhaps by a newer version of Rowlock. What this version does not understand is kept and
 * written back, but fire times and commands must not be made from it.
 *
 * @param definition what is understood, with defaults for the rest
 * @param foreign the fields that are not understood, as they are stored
 * @param problems what is not understood of them; empty: all of it is understood
 */
public record StoredDefinition(JobDefinition definition, Map<String, JsonNode> foreign, List<FieldProblem> problems) {

    private static final int MAX_BYTES = 256 * 1024;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    public StoredDefinition {
        foreign = Map.copyOf(foreign);
        problems = List.copyOf(problems);
    }

    /**
     * Parses the result of {@link #text}; never fails.
     *
     * @param paused kept in a column of its own
     */
    public static StoredDefinition read(JobKey key, String text, boolean paused) {
        Place whole = new Place("", new ArrayList<>());
        ObjectNode node = object(text, whole);
        node.put("namespace", key.namespace()).put("name", key.name()).put("paused", paused);
        JobDefinition definition = JobDefinition.read(node, whole);
        Map<String, JsonNode> foreign = new TreeMap<>();
        whole.problems().stream()
                .map(FieldProblem::top)
                .filter(node::has)
                .forEach(field -> foreign.put(field, node.get(field)));
        node.properties().forEach(field -> {
            boolean isForeign = !JobFields.TABLE.knows(field.getKey());
            if (isForeign && !field.getValue().isNull()) { // which means the same as absence
                foreign.put(field.getKey(), field.getValue());
                whole.field(field.getKey()).refuse("is not a field that this version knows");
            }
        });
        return new StoredDefinition(definition, foreign, whole.problems());
    }

    /**
     * Parses what a person sent for a new job.
     *
     * @throws InvalidDefinition with everything that is wrong
     */
    public static StoredDefinition parse(ObjectNode sent) {
        return checked(sent, Map.of(), List.of());
    }

    /**
     * Parses what a person sent for this job. Repeated fields that are not understood are kept.
     *
     * @throws InvalidDefinition with everything that is wrong
     */
    public StoredDefinition changedTo(ObjectNode sent) {
        return checked(sent, foreign, problems);
    }

    private static StoredDefinition checked(
            ObjectNode sent, Map<String, JsonNode> foreign, List<FieldProblem> problems) {
        Map<String, JsonNode> kept = new TreeMap<>(foreign);
        kept.entrySet().removeIf(field -> !field.getValue().equals(sent.get(field.getKey())));
        Place whole = new Place("", new ArrayList<>());
        JobDefinition changed = JobDefinition.read(sent, whole);
        JobFields.checkTogether(changed, whole);
        whole.problems().removeIf(problem -> isIn(kept, problem));
        JobFields.TABLE.refuseUnknown(sent, kept.keySet(), whole);
        InvalidDefinition.throwIfAny(whole.problems());
        StoredDefinition result = new StoredDefinition(
                changed,
                kept,
                problems.stream().filter(problem -> isIn(kept, problem)).toList());
        int bytes = result.text().getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_BYTES) {
            throw new InvalidDefinition(List.of(new FieldProblem(
                    "", "the whole definition must be at most " + MAX_BYTES + " bytes of JSON, not " + bytes)));
        }
        return result;
    }

    public StoredDefinition withPaused(boolean paused) {
        return new StoredDefinition(definition.withPaused(paused), foreign, problems);
    }

    /**
     * Returns the schedule; empty if this version does not understand the fields that determine it.
     *
     * @param createdAt of the job
     */
    public Optional<JobSchedule> schedule(Instant createdAt) {
        boolean isSaid = !definition.schedule().lines().isEmpty();
        return !isSaid || JobFields.SAYS_WHEN.stream().anyMatch(foreign::containsKey)
                ? Optional.empty()
                : Optional.of(JobSchedule.of(definition, createdAt));
    }

    /** Returns whether both have the same fields that determine fire times, including those not understood. */
    public boolean saysWhenLike(StoredDefinition other) {
        Map<String, @Nullable Object> own = JobFields.TABLE.values(definition);
        Map<String, @Nullable Object> others = JobFields.TABLE.values(other.definition);
        return foreign.equals(other.foreign)
                && definition.schedule().saysWhenLike(other.definition.schedule())
                && JobFields.SAYS_WHEN.stream()
                        .filter(field -> !field.equals(JobFields.SCHEDULE.name()))
                        .allMatch(field -> Objects.equals(own.get(field), others.get(field)));
    }

    public boolean isUnderstood() {
        return problems.isEmpty();
    }

    /** Describes in one line what is not understood. */
    public String problem() {
        return problems.stream()
                .map(p -> p.field().isEmpty() ? p.message() : p.field() + ": " + p.message())
                .collect(Collectors.joining("; "));
    }

    /** Returns the whole definition, as people see it. */
    public ObjectNode json() {
        ObjectNode node = JobFields.TABLE.write(definition);
        new TreeMap<>(foreign).forEach(node::set);
        return node;
    }

    /** Returns the text for the table: everything but {@code paused}, which has a column of its own. */
    public String text() {
        ObjectNode node = JobFields.TABLE.writeSparse(definition);
        new TreeMap<>(foreign).forEach(node::set);
        node.remove("paused");
        return node.toString();
    }

    private static ObjectNode object(String text, Place whole) {
        try {
            if (MAPPER.readTree(text) instanceof ObjectNode object) {
                return object;
            }
            whole.refuse("it is not a JSON object");
        } catch (JsonProcessingException e) {
            whole.refuse("it is not JSON: " + e.getOriginalMessage());
        }
        return MAPPER.createObjectNode();
    }

    private static boolean isIn(Map<String, JsonNode> fields, FieldProblem problem) {
        return fields.containsKey(problem.field()) || fields.containsKey(problem.top());
    }
}
