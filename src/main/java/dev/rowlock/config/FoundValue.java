package dev.rowlock.config;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/**
 * Value as it was found.
 *
 * @param variable the environment variable it comes from; null for one of the file
 * @param exact whether blanks around it belong to it
 */
record FoundValue(JsonNode value, @Nullable String variable, boolean exact) {

    /** Creates a value whose surrounding blanks mean nothing. */
    FoundValue(JsonNode value, @Nullable String variable) {
        this(value, variable, false);
    }

    /** Returns the value with its blanks, which may be part of a password. */
    FoundValue withBlanks() {
        return new FoundValue(value, variable, true);
    }

    private static final int QUOTED_CHARS = 100;

    /** Returns a scalar as text; null for lists and maps. */
    @Nullable
    String text() {
        return !value.isValueNode()
                ? null
                : exact ? value.asText() : value.asText().strip();
    }

    /** Returns what others read differently: an unquoted value of the file, or a number; empty if nothing. */
    String remark() {
        return text() != null && text().matches("0[0-9]+( ?[KMG]iB)?")
                ? " (octal to some, with its leading zero: leave that out)"
                : typeIfNotText();
    }

    /** Returns what YAML made of an unquoted value of the file; empty if it is text. */
    String typeIfNotText() {
        if (variable != null || value.isTextual()) {
            return "";
        }
        return switch (value.getNodeType()) {
            case NUMBER -> " (a number to YAML: put text in quotes)";
            case BOOLEAN -> " (true or false to YAML: put text in quotes)";
            case ARRAY -> " (a list)";
            case OBJECT -> " (a map)";
            default -> "";
        };
    }

    /** Masks passwords, which URLs of other tools may have in several places. */
    private static String withoutPasswords(String text) {
        return text.replaceAll("(?s)//.*@", "//***@").replaceAll("(?i)((user|password)=)[^&,)\\s]*", "$1***");
    }

    /** Returns the value as it is shown to the operator. */
    String quoted() {
        String text = withoutPasswords(value.isValueNode() ? value.asText() : value.toString());
        String shown = text.length() > QUOTED_CHARS ? text.substring(0, QUOTED_CHARS) + "…" : text;
        return value.isArray() || value.isObject() || value.isNumber() || value.isBoolean() ? shown : "'" + shown + "'";
    }
}
