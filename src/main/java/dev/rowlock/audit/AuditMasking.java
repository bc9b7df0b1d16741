package dev.rowlock.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Masking of what looks like a secret: people write them into variables and commands, and the audit is kept for longer,
 * and read by others, than a definition.
 */
final class AuditMasking {

    static final String MASK = "***";

    private static final String KEEP = "$1" + MASK;

    private static final String WORDS =
            "(?:passw(?:or)?d|passphrase|(?<![a-z])pass(?![a-z])|pwd|secret|token|credentials?"
                    + "|(?:api|access|private)[-_.]?key)";

    /** Name of a variable or a field with a secret; names of secrets of Rowlock are no secrets. */
    private static final Pattern NAME = Pattern.compile("(?i)(?!secretEnv)(?:.*" + WORDS + ".*|.*pass)");

    /** Text before a secret: {@code PASSWORD=}, {@code "token": }, {@code --password }. */
    private static final String BEFORE =
            WORDS + "[\\w-]{0,40}[\"']?\\s{0,4}[=:]\\s{0,4}|--[\\w-]{0,40}" + WORDS + "\\s{1,4}";

    /**
     * Assignment of a secret. Every repetition is bounded, and none but after two dashes precedes the word, so that no
     * text takes long: this is done in the transaction of the change.
     */
    private static final Pattern ASSIGNED =
            Pattern.compile("(?i)(" + BEFORE + ")(?:\"[^\"]{0,500}\"|'[^']{0,500}'|[^\\s\"';&|)]{1,500})");

    private static final Pattern BEARER = Pattern.compile("(?i)(\\b(?:bearer|basic)\\s{1,4})[\\w.~+/=-]{6,2000}");
    private static final Pattern IN_URL = Pattern.compile("(\\w://[^\\s/:@\"']{0,200}:)[^\\s/@\"']{1,500}(?=@)");

    /** Option of curl and the like, {@code -u user:password}. */
    private static final Pattern OF_USER =
            Pattern.compile("(\\bcurl\\b[^\\n;|&]{0,500}?\\s(?:-u\\s{0,4}|--(?:proxy-)?user[\\s=]"
                    + "{1,4})[\"']?[^\\s\"':]{1,200}:)[^\\s\"']{1,500}");

    /** Option of MySQL's programs, {@code -ppassword}. */
    private static final Pattern OF_MYSQL = Pattern.compile(
            "(\\b(?:mysql|mariadb)[\\w-]{0,20}\\s(?:[^\\n;|&]{0,500}?\\s)?-p)[\"']?[^\\s\"']{1,500}[\"']?");

    /** Options of a list whose next element is a secret, or a user with one. */
    private static final Pattern OPTION = Pattern.compile("(?i)--?[\\w-]{0,40}" + WORDS + "[\\w-]{0,40}");

    private static final Pattern USER = Pattern.compile("-u|-U|--user|--proxy-user");
    private static final Pattern AFTER_USER = Pattern.compile("^([^:]{0,200}:).+$", Pattern.DOTALL);
    private static final Pattern JOINED_USER = Pattern.compile("^(-u[^:\\s]{1,200}:).+$", Pattern.DOTALL);
    private static final Pattern MYSQL = Pattern.compile("(?:.{0,1000}/)?(?:mysql|mariadb)[\\w-]{0,20}");

    private AuditMasking() {}

    /** Returns the value without what looks like a secret. */
    static JsonNode masked(JsonNode value) {
        if (value instanceof ObjectNode object) {
            ObjectNode masked = JsonNodeFactory.instance.objectNode();
            for (Map.Entry<String, JsonNode> field : object.properties()) {
                masked.set(field.getKey(), masked(field.getKey(), field.getValue()));
            }
            return masked;
        }
        if (value instanceof ArrayNode list) {
            return maskedList(list);
        }
        return value.isTextual() ? TextNode.valueOf(masked(value.textValue())) : value;
    }

    /** Masks a list of arguments, in which an option and its value are separate elements. */
    private static ArrayNode maskedList(ArrayNode list) {
        ArrayNode masked = JsonNodeFactory.instance.arrayNode();
        String before = "";
        boolean mysql = false;
        for (JsonNode element : list) {
            String text = element.isTextual() ? element.textValue() : "";
            masked.add(element.isTextual() ? TextNode.valueOf(argument(before, text, mysql)) : masked(element));
            mysql |= MYSQL.matcher(text).matches();
            before = text;
        }
        return masked;
    }

    private static String argument(String before, String text, boolean mysql) {
        if (OPTION.matcher(before).matches()) {
            return MASK;
        }
        if (USER.matcher(before).matches()) {
            return AFTER_USER.matcher(text).replaceAll(KEEP);
        }
        if (mysql && text.startsWith("-p") && text.length() > 2) {
            return "-p" + MASK;
        }
        return masked(JOINED_USER.matcher(text).replaceAll(KEEP));
    }

    private static JsonNode masked(String name, JsonNode value) {
        boolean hidden = value.isTextual() && NAME.matcher(name).matches();
        return hidden ? TextNode.valueOf(MASK) : masked(value);
    }

    /** Masks text in which people may have written secrets. */
    static String masked(String text) {
        String masked = IN_URL.matcher(text).replaceAll(KEEP);
        masked = BEARER.matcher(masked).replaceAll(KEEP);
        masked = OF_USER.matcher(masked).replaceAll(KEEP);
        masked = OF_MYSQL.matcher(masked).replaceAll(KEEP);
        return ASSIGNED.matcher(masked).replaceAll(KEEP);
    }
}
