package dev.rowlock.config;

import dev.rowlock.schedule.Durations;
import dev.rowlock.yaml.YamlText;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Setting of a node.
 *
 * @param key as in the YAML file, with dots
 * @param standard the default as an operator would write it; null if there is none, or if it is computed
 * @param secret true if its value must never be shown
 */
record Setting<T>(String key, SettingType<T> type, @Nullable String standard, boolean secret, Scope scope) {

    /** Extent to which nodes of a cluster may differ in a setting. */
    enum Scope {
        /** Nodes may differ. */
        OWN,
        /** Nodes should not differ, and warn if they do. */
        COMPARED,
        /** Nodes may differ, and the longest retention counts for all. */
        LONGEST,
        /** Nodes must not differ; as the value is secret, it is not compared. */
        CLUSTER
    }

    private static final int SHOWN = 200;

    /** Writes a value for comparison and display. The end of a long one is hashed: compared, but not shown. */
    static String written(@Nullable Object value) {
        String text = String.valueOf(value);
        if (value == null) {
            text = "not set";
        } else if (value instanceof Duration duration) {
            text = Durations.format(duration);
        } else if (value instanceof Map<?, ?> map) {
            text = new TreeMap<>(map).toString();
        }
        return text.length() <= SHOWN
                ? text
                : text.substring(0, SHOWN) + "… (" + Integer.toHexString(text.hashCode()) + ")";
    }

    /** Returns the environment variable that overrides the file. */
    String variable() {
        return variable(key);
    }

    /** Returns the default as a value. */
    T standardValue() {
        T value = standard == null ? null : type.reader().apply(new FoundValue(YamlText.one(key, standard), null));
        if (value == null) {
            throw new IllegalStateException(key + " has no default, or one that is not allowed: " + standard);
        }
        return value;
    }

    static String variable(String key) {
        return "ROWLOCK_" + key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }
}
