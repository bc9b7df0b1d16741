package dev.rowlock.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The JSON form of a definition, the same in the API and in the table {@code job}. All fields are written, defaults too; {@code null} and
 * absence mean the same when reading.
 */
public final class DefinitionJson {

    /** What a job's JSON also says but nobody can set; ignored when read, so that what was got can be edited and put back. */
    public static final List<String> READ_ONLY = List.of(
            "state",
            "hold",
            "nextFireTime",
            "lastTask",
            "skippedSince",
            "version",
            "createdAt",
            "updatedAt",
            "warnings");

    private static final List<String> WRITABLE = List.of(
            "namespace",
            "name",
            "description",
            "labels",
            "schedule",
            "zone",
            "daylightSaving",
            "command",
            "workdir",
            "env",
            "user",
            "timeout",
            "killGrace",
            "retry",
            "overlap",
            "misfire",
            "startDeadline",
            "onLost",
            "priority",
            "nodes",
            "broadcast",
            "startAt",
            "endAt",
            "jitter",
            "successExitCodes",
            "paused");

    static final List<String> KNOWN = known();

    private static final int MAX_BYTES = 256 * 1024;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private DefinitionJson() {}

    /**
     * Reads what a person sent, with defaults for what is missing.
     *
     * @throws InvalidDefinition with everything that is wrong
     */
    public static JobDefinition parse(ObjectNode sent) {
        JobDefinition definition = checked(sent);
        checkSize(stored(definition));
        return definition;
    }

    static void checkSize(String stored) {
        int bytes = stored.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_BYTES) {
            throw new InvalidDefinition(List.of(new FieldProblem(
                    "", "the whole definition must be at most " + MAX_BYTES + " bytes of JSON, not " + bytes)));
        }
    }

    private static JobDefinition checked(ObjectNode node) {
        DefinitionReader reader = new DefinitionReader(node);
        JobDefinition definition = reader.read();
        if (!reader.problems().isEmpty()) {
            throw new InvalidDefinition(reader.problems());
        }
        return definition;
    }

    /** The name of a label, as a filter may ask for it. */
    public static boolean isLabelName(String key) {
        return DefinitionReader.isLabel(key);
    }

    /** What is wrong with a name in a path or a filter; null if nothing is. */
    public static @Nullable String namespaceProblem(String namespace) {
        return DefinitionReader.nameProblem(namespace, 64);
    }

    /** What is wrong with a name in a path or a filter; null if nothing is. */
    public static @Nullable String nameProblem(String name) {
        return DefinitionReader.nameProblem(name, 128);
    }

    /**
     * Reads what {@link #stored} wrote.
     *
     * @param paused kept in a column of its own
     * @throws IllegalStateException if the text is no definition
     */
    public static JobDefinition read(String stored, boolean paused) {
        try {
            JsonNode node = MAPPER.readTree(stored);
            if (!(node instanceof ObjectNode object)) {
                throw new IllegalStateException("a stored definition is not a JSON object: " + stored);
            }
            object.put("paused", paused);
            return checked(object);
        } catch (JsonProcessingException | InvalidDefinition e) {
            throw new IllegalStateException("a stored definition cannot be read: " + e.getMessage(), e);
        }
    }

    /** The text for the table: everything but {@code paused}, which has a column of its own. */
    public static String stored(JobDefinition definition) {
        ObjectNode node = write(definition);
        node.remove("paused");
        return node.toString();
    }

    /** The definition as people see it. */
    public static ObjectNode write(JobDefinition d) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("namespace", d.key().namespace());
        node.put("name", d.key().name());
        node.put("description", d.description());
        node.set("labels", map(d.labels()));
        node.put("schedule", d.schedule());
        node.put("zone", d.zone().getId());
        node.put("daylightSaving", d.daylightSaving().name());
        node.put("command", d.command());
        node.put("workdir", d.workdir());
        node.set("env", map(d.env()));
        node.put("user", d.user());
        node.put("timeout", duration(d.timeout()));
        node.put("killGrace", duration(d.killGrace()));
        node.set("retry", retry(d.retry()));
        node.put("overlap", d.overlap().name());
        node.put("misfire", d.misfire().name());
        node.put("startDeadline", duration(d.startDeadline()));
        node.put("onLost", d.onLost().name());
        node.put("priority", d.priority());
        node.set("nodes", map(d.nodes()));
        node.put("broadcast", d.broadcast());
        node.put("startAt", Times.orNull(d.startAt()));
        node.put("endAt", Times.orNull(d.endAt()));
        node.put("jitter", duration(d.jitter()));
        new TreeSet<>(d.successExitCodes()).forEach(node.putArray("successExitCodes")::add);
        node.put("paused", d.paused());
        return node;
    }

    private static @Nullable ObjectNode retry(JobDefinition.@Nullable Retry retry) {
        if (retry == null) {
            return null;
        }
        return JsonNodeFactory.instance
                .objectNode()
                .put("max", retry.max())
                .put("backoff", duration(retry.backoff()))
                .put("maxBackoff", duration(retry.maxBackoff()));
    }

    private static ObjectNode map(Map<String, String> map) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        new TreeMap<>(map).forEach(node::put);
        return node;
    }

    private static @Nullable String duration(@Nullable Duration duration) {
        return duration == null ? null : Durations.format(duration);
    }

    private static List<String> known() {
        List<String> known = new ArrayList<>(WRITABLE);
        known.addAll(READ_ONLY);
        return List.copyOf(known);
    }

    /** Where {@code @every} counts from. */
    static Instant anchor(JobDefinition definition, Instant createdAt) {
        Instant startAt = definition.startAt();
        return startAt == null ? createdAt : startAt;
    }
}
