package dev.rowlock.store.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Hides what looks like a secret: people write them into variables and commands, and the audit is kept for longer, and
 * read by others, than a definition.
 */
final class Masking {

    static final String MASK = "***";

    private static final String KEEP = "$1" + MASK;

    private static final String WORDS =
            "(?:passw(?:or)?d|passphrase|pwd|secret|token|credentials?|(?:api|access|private)[-_.]?key)";

    /** Of a variable or a field; names of secrets of Rowlock are no secrets. */
    private static final Pattern NAME = Pattern.compile("(?i)(?!secretEnv).*" + WORDS + ".*");

    /** What stands before a secret: {@code PASSWORD=}, {@code "token": }, {@code --password }. */
    private static final String BEFORE =
            WORDS + "[\\w-]{0,40}[\"']?\\s{0,4}[=:]\\s{0,4}|--[\\w-]{0,40}" + WORDS + "\\s{1,4}";

    /**
     * Every repetition is bounded, and none but after two dashes stands before the word, so that no text takes long:
     * this is done in the transaction of the change.
     */
    private static final Pattern ASSIGNED =
            Pattern.compile("(?i)(" + BEFORE + ")(?:\"[^\"]{0,500}\"|'[^']{0,500}'|[^\\s\"';&|)]{1,500})");

    private static final Pattern BEARER = Pattern.compile("(?i)(\\b(?:bearer|basic)\\s{1,4})[\\w.~+/=-]{6,2000}");
    private static final Pattern IN_URL = Pattern.compile("(\\w://[^\\s/:@\"']{0,200}:)[^\\s/@\"']{1,500}(?=@)");

    private Masking() {}

    /** The same without what looks like a secret. */
    static JsonNode masked(JsonNode value) {
        if (value instanceof ObjectNode object) {
            ObjectNode masked = JsonNodeFactory.instance.objectNode();
            for (Map.Entry<String, JsonNode> field : object.properties()) {
                masked.set(field.getKey(), masked(field.getKey(), field.getValue()));
            }
            return masked;
        }
        if (value instanceof ArrayNode list) {
            ArrayNode masked = JsonNodeFactory.instance.arrayNode();
            list.forEach(element -> masked.add(masked(element)));
            return masked;
        }
        return value.isTextual() ? TextNode.valueOf(masked(value.textValue())) : value;
    }

    private static JsonNode masked(String name, JsonNode value) {
        boolean hidden = value.isTextual() && NAME.matcher(name).matches();
        return hidden ? TextNode.valueOf(MASK) : masked(value);
    }

    /** Text in which people may have written secrets. */
    static String masked(String text) {
        String masked = IN_URL.matcher(text).replaceAll(KEEP);
        masked = BEARER.matcher(masked).replaceAll(KEEP);
        return ASSIGNED.matcher(masked).replaceAll(KEEP);
    }
}
