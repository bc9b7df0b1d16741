package dev.rowlock.config;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.rowlock.job.Suggestion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads the file and the environment into one map from key to value; the environment wins. Collects what is wrong. */
final class Sources {

    private static final YAMLMapper YAML = YAMLMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /** How the parser writes a place in the file. */
    private static final Pattern MARK = Pattern.compile("(?m)^ in .*, line (\\d+), column (\\d+):$");

    private final Map<String, Setting<?>> byKey =
            Settings.all().stream().collect(Collectors.toMap(Setting::key, setting -> setting));
    private final Map<String, Found> found = new HashMap<>();
    private final List<String> problems;
    private final List<String> warnings;

    /** @param warnings filled with what may be a mistake, and stops nothing */
    Sources(List<String> problems, List<String> warnings) {
        this.problems = problems;
        this.warnings = warnings;
    }

    /** A value as the file would hold it. */
    static JsonNode yaml(String text) {
        try {
            return YAML.readTree(text);
        } catch (JacksonException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    Map<String, Found> found() {
        return found;
    }

    void readFile(Path file) {
        if (!Files.isRegularFile(file)) {
            problems.add("--config: there is no file " + file + ".");
            return;
        }
        try {
            JsonNode root = YAML.readTree(file.toFile());
            if (root.isMissingNode() || root.isNull()) {
                return;
            }
            if (!root.isObject()) {
                problems.add(file + ": found a list or plain text, allowed is a map of settings such as 'http: {port:"
                        + " 7575}'.");
                return;
            }
            flatten("", root, file);
        } catch (JacksonException e) {
            String where = where(e);
            String reason = e.getOriginalMessage().lines().findFirst().orElse("");
            problems.add(
                    e.getOriginalMessage().contains("\\t(TAB)")
                            ? file + where + ": there is a tab; YAML wants spaces for indentation."
                            : file + where + ": this is not YAML that can be read: " + reason + ".");
        } catch (IOException e) {
            problems.add(file + ": cannot be read: " + e.getMessage() + ".");
        }
    }

    /** The exception has the place of the last word before the problem; its text has both, the problem last. */
    private static String where(JacksonException e) {
        JsonLocation at = e.getLocation();
        String where = at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
        Matcher mark = MARK.matcher(e.getOriginalMessage());
        while (mark.find()) {
            where = " at line " + mark.group(1) + ", column " + mark.group(2);
        }
        return where;
    }

    private void flatten(String prefix, JsonNode map, Path file) {
        for (Map.Entry<String, JsonNode> entry : map.properties()) {
            String key = prefix + entry.getKey();
            JsonNode value = entry.getValue();
            if (byKey.containsKey(key)) {
                putFromFile(key, value, file);
            } else if (value.isObject()) {
                flatten(key + ".", value, file);
            } else if (!(value.isNull() && isHeading(key))) {
                problems.add(key + " in " + file + ": there is no such setting" + suggestion(key, byKey.keySet()));
            }
        }
    }

    /** A heading whose settings are all commented out is no mistake. */
    private boolean isHeading(String key) {
        return byKey.keySet().stream().anyMatch(known -> known.startsWith(key + "."));
    }

    private void putFromFile(String key, JsonNode value, Path file) {
        if (value.isNull()) {
            return; // written down without a value: the default
        }
        if (found.put(key, new Found(value, null)) != null) {
            problems.add(key + " in " + file + ": is written twice, once with dots and once nested; keep one of them.");
        }
    }

    void readEnvironment(Map<String, String> environment) {
        Map<String, String> keys = Settings.all().stream().collect(Collectors.toMap(Setting::variable, Setting::key));
        for (Map.Entry<String, String> entry : new TreeMap<>(environment).entrySet()) {
            String variable = entry.getKey();
            String value = entry.getValue();
            String key = keys.get(variable);
            if (!variable.startsWith("ROWLOCK_") || ForeignVariables.isLink(variable, value)) {
                continue;
            }
            if (key != null) {
                if (!value.isBlank()) {
                    found.put(key, new Found(TextNode.valueOf(value), variable));
                }
            } else if (!ForeignVariables.contain(variable)) {
                warnings.add(variable + " in the environment is ignored: there is no such setting"
                        + suggestion(variable, keys.keySet()));
            }
        }
    }

    private static String suggestion(String wrong, Set<String> known) {
        return known.stream()
                .filter(name -> Suggestion.distance(wrong, name) <= Math.max(3, wrong.length() / 3))
                .min(Comparator.comparingInt((String name) -> Suggestion.distance(wrong, name))
                        .thenComparing(name -> name))
                .map(nearest -> "; did you mean " + nearest + "?")
                .orElse("; config/rowlock.yaml shows all there are.");
    }
}
