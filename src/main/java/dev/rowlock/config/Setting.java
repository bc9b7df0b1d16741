package dev.rowlock.config;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One setting.
 *
 * @param key as in the YAML file, with dots
 * @param standard the default as an operator would write it; null if there is none, or if it is computed
 * @param secret true if its value must never be shown
 */
record Setting<T>(String key, SettingType<T> type, @Nullable String standard, boolean secret) {

    /** The environment variable that overlays the file. */
    String variable() {
        return variable(key);
    }

    /** The default as a value. */
    T standardValue() {
        T value = standard == null ? null : type.reader().apply(new Found(Sources.yaml(standard), null));
        if (value == null) {
            throw new IllegalStateException(key + " has no default, or one that is not allowed: " + standard);
        }
        return value;
    }

    static String variable(String key) {
        return "ROWLOCK_" + key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }
}
