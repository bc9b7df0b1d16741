package dev.rowlock.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.definition.Names;
import dev.rowlock.field.FieldType;
import dev.rowlock.field.InvalidDefinition;
import dev.rowlock.field.Place;
import dev.rowlock.field.Suggestion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Change to a node.
 *
 * @param labels a merge patch: null as a value removes the label
 * @param resetsLabels the labels are to be as configured again
 * @param setsCapacity whether it says anything of {@code capacity}, which is null to have it as configured again
 */
public record NodePatch(
        Map<String, @Nullable String> labels,
        boolean resetsLabels,
        @Nullable Integer capacity,
        boolean setsCapacity) {

    public static final String LABELS = "labels";
    public static final String CAPACITY = "capacity";
    public static final FieldType<Integer> SLOTS = FieldType.number(1, 10_000);

    public NodePatch {
        labels = new TreeMap<>(labels);
    }

    /** @throws InvalidDefinition with everything that is wrong */
    public static NodePatch parse(ObjectNode sent) {
        Place whole = new Place("", new ArrayList<>());
        sent.fieldNames().forEachRemaining(name -> {
            if (!name.equals(LABELS) && !name.equals(CAPACITY)) {
                whole.field(name)
                        .refuse("is not a field of a node" + Suggestion.of(name, List.of(LABELS, CAPACITY))
                                + "; there are labels and capacity");
            }
        });
        if (sent.isEmpty()) {
            whole.refuse("says nothing to change; send labels, capacity, or both");
        }
        JsonNode labels = sent.path(LABELS);
        JsonNode capacity = sent.path(CAPACITY);
        NodePatch patch = new NodePatch(
                labels(labels, whole.field(LABELS)),
                labels.isNull(),
                capacity.isMissingNode() || capacity.isNull() ? null : SLOTS.read(capacity, whole.field(CAPACITY)),
                sent.has(CAPACITY));
        InvalidDefinition.throwIfAny(whole.problems());
        return patch;
    }

    private static Map<String, @Nullable String> labels(JsonNode sent, Place place) {
        Map<String, @Nullable String> labels = new TreeMap<>();
        if (sent.isMissingNode() || sent.isNull()) {
            return labels;
        }
        if (!sent.isObject()) {
            place.refuse("must be an object such as {\"role\": \"db\", \"spot\": null}, not " + Place.kind(sent));
        }
        sent.properties().forEach(label -> {
            Place at = place.field(label.getKey());
            JsonNode value = label.getValue();
            if (!value.isTextual() && !value.isNull()) {
                at.refuse("must be a string, or null to remove the label, not " + Place.kind(value));
                return;
            }
            String problem = Names.labelProblem(label.getKey(), value.isNull() ? "" : value.textValue());
            if (label.getKey().startsWith("rowlock.dev/")) {
                at.refuse("is a label that each node sets itself; choose a name that does not begin with rowlock.dev/");
            } else if (problem != null) {
                at.refuse(problem);
            }
            labels.put(label.getKey(), value.isNull() ? null : value.textValue());
        });
        return labels;
    }
}
