package dev.rowlock.definition;

import static dev.rowlock.field.Field.optional;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.field.FieldTable;
import dev.rowlock.field.FieldType;
import dev.rowlock.field.InvalidDefinition;
import dev.rowlock.field.Place;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Overrides of a job's definition in one run. They apply to its retries and recoveries, too.
 *
 * @param command null: that of the job
 * @param env added to the variables of the job; the same name wins over it
 * @param node the only node that may run it; null: any that the job says
 * @param overlap null: that of the job
 */
public record Overrides(
        @Nullable Command command,
        Map<String, String> env,
        @Nullable String node,
        @Nullable Overlap overlap) {

    public static final Overrides NONE = new Overrides(null, Map.of(), null, null);

    private static final int MAX_BYTES = 128 * 1024;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    static final FieldTable<Overrides> TABLE = new FieldTable<>(
            "a run",
            Overrides.class,
            List.of(
                    optional("command", RunFieldTypes.command(), null, "what is to be executed this time"),
                    optional(
                            "env",
                            JobFieldTypes.map("texts", 32 * 1024, Names::variableProblem),
                            Map.of(),
                            "variables of this run"),
                    optional("node", JobFieldTypes.name(64), null, "the node that is to run it"),
                    optional("overlap", FieldType.word(Overlap.class), null, "what becomes of it if the job runs")),
            List.of());

    public Overrides {
        env = Map.copyOf(env);
    }

    /** @throws InvalidDefinition with everything that is wrong */
    public static Overrides parse(ObjectNode sent) {
        Place whole = new Place("", new ArrayList<>());
        TABLE.refuseUnknown(sent, Set.of(), whole);
        Overrides read = TABLE.read(sent, whole);
        if (read.command != null && read.command.isBlank()) {
            whole.field("command").refuse("must not be blank; leave it out to run what the job says");
        }
        int bytes = read.text().getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_BYTES) {
            whole.refuse("what is asked for in one run must be at most " + MAX_BYTES + " bytes of JSON, not " + bytes);
        }
        InvalidDefinition.throwIfAny(whole.problems());
        return read;
    }

    /**
     * Parses the result of {@link #text}.
     *
     * @param text null: {@link #NONE}
     * @throws IllegalStateException it is not understood
     */
    public static Overrides read(@Nullable String text) {
        if (text == null) {
            return NONE;
        }
        Place whole = new Place("", new ArrayList<>());
        if (!(tree(text) instanceof ObjectNode stored)) {
            throw new IllegalStateException("what was asked for in one run is not a JSON object: " + text);
        }
        TABLE.refuseUnknown(stored, Set.of(), whole);
        Overrides read = TABLE.read(stored, whole);
        if (!whole.problems().isEmpty()) {
            throw new IllegalStateException("what was asked for in one run is not understood: " + whole.problems());
        }
        return read;
    }

    /** Parses stored overrides, to be shown; null if they are not JSON. */
    public static @Nullable JsonNode tree(@Nullable String text) {
        try {
            return text == null ? null : MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            return null;
        }
    }

    /** Returns the text of what is overridden. */
    public String text() {
        ObjectNode node = TABLE.write(this);
        node.properties().removeIf(field -> field.getValue().isNull());
        if (env.isEmpty()) {
            node.remove("env");
        }
        return node.toString();
    }

    /** Returns whether they require an editor: they change what the job does. */
    public boolean changesWhatRuns() {
        return command != null || !env.isEmpty();
    }

    public boolean isEmpty() {
        return equals(NONE);
    }

    /**
     * Checks them against the job.
     *
     * @throws InvalidDefinition the command does not go with the job's shell
     */
    public void check(JobDefinition job) {
        Place whole = new Place("", new ArrayList<>());
        if (command != null) {
            RunFieldTypes.check(command, job.shell(), whole);
        }
        InvalidDefinition.throwIfAny(whole.problems());
    }

    /** Returns the job as this run executes it. */
    public JobDefinition of(JobDefinition job) {
        JobDefinition result = command == null ? job : JobFields.TABLE.with(job, "command", command);
        if (env.isEmpty()) {
            return result;
        }
        Map<String, String> all = new HashMap<>(job.env());
        all.putAll(env);
        return JobFields.TABLE.with(result, "env", Map.copyOf(all));
    }
}
