package dev.rowlock.config;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One setting.
 *
 * @param key as in the YAML file, with dots
 * @param standard the default as an operator would write it; null if there is none, or if it is computed (the description says how)
 * @param secret true if its value must never be shown
 */
record Setting<T>(String key, SettingType<T> kind, @Nullable String standard, boolean secret, String description) {

    /** The environment variable that overlays the file. */
    String variable() {
        return variable(key);
    }

    /** The default as a value. */
    T standardValue() {
        if (standard == null) {
            throw new IllegalStateException(key + " has no default");
        }
        T value = kind.reader().apply(new Found(Sources.yaml(standard), null));
        if (value == null) {
            throw new IllegalStateException(key + ": its default " + standard + " is not allowed");
        }
        return value;
    }

    static String variable(String key) {
        return "ROWLOCK_" + key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }
}
