package dev.rowlock.cluster;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Operators' setting of a node. It overrides the node's configuration and outlives its sessions. Immutable.
 *
 * @param labels a merge patch of the configured labels: with null as its value, a label is removed
 * @param capacity null: as configured
 * @param drained whether the node takes no work
 */
public record NodeSetting(
        Map<String, @Nullable String> labels, @Nullable Integer capacity, boolean drained) {

    /** Setting that leaves all as configured. */
    public static final NodeSetting NONE = new NodeSetting(Map.of(), null, false);

    public NodeSetting {
        labels = new TreeMap<>(labels);
    }

    /** Returns this setting with further changes of labels. */
    public NodeSetting withLabels(Map<String, @Nullable String> patch) {
        Map<String, @Nullable String> merged = new TreeMap<>(labels);
        merged.putAll(patch);
        return new NodeSetting(merged, capacity, drained);
    }

    /** Returns this setting with the labels as configured. */
    public NodeSetting withoutLabels() {
        return new NodeSetting(Map.of(), capacity, drained);
    }

    public NodeSetting withCapacity(@Nullable Integer other) {
        return new NodeSetting(labels, other, drained);
    }

    public NodeSetting withDrained(boolean other) {
        return new NodeSetting(labels, capacity, other);
    }

    /** Returns the labels in effect. */
    public Map<String, String> labels(ClusterSession.Configured configured) {
        Map<String, String> effective = new TreeMap<>(configured.labels());
        labels.forEach((label, value) -> {
            if (value == null) {
                effective.remove(label);
            } else {
                effective.put(label, value);
            }
        });
        return effective;
    }

    /** Returns the capacity in effect. */
    public int capacity(ClusterSession.Configured configured) {
        return capacity == null ? configured.capacity() : capacity;
    }
}
