package dev.rowlock.config;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import dev.rowlock.job.Suggestion;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** File and environment merged into one map from key to value; the environment wins. Collects what is wrong. */
final class Sources {

    private static final Pattern ODD_NUMBER = Pattern.compile("[-+]?(0.+|.*_.*)");

    /** Form in which the parser writes a place in the file. */
    private static final Pattern MARK = Pattern.compile("(?m)^ in .*, line (\\d+), column (\\d+):$");

    /** Settings of earlier versions, and what to do instead. */
    private static final Map<String, String> REMOVED = Map.of(
            "session.on-disconnect",
            "there is no such setting any more: commands always end at session.fence, before others may run them"
                    + " again. Remove it; to let commands outlast longer outages, raise session.fence and"
                    + " session.timeout.");

    private final Map<String, Setting<?>> byKey =
            Settings.all().stream().collect(Collectors.toMap(Setting::key, setting -> setting));
    private final Map<String, Found> found = new HashMap<>();
    private final List<String> problems;
    private final List<String> warnings;
    private final List<String> unreadable = new ArrayList<>();

    /** @param warnings filled with what may be a mistake, and stops nothing */
    Sources(List<String> problems, List<String> warnings) {
        this.problems = problems;
        this.warnings = warnings;
    }

    /** Parses a value as the file would hold it. */
    static JsonNode yaml(String text) {
        try {
            return YamlTree.read(text);
        } catch (IOException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    /** Returns the reasons why the file is unknown; empty if it was read. */
    List<String> unreadable() {
        return unreadable;
    }

    Map<String, Found> found() {
        return found;
    }

    void readFile(Path file) {
        try {
            List<Surprise> surprises = new ArrayList<>();
            JsonNode root = YamlTree.read(Files.readString(file), (at, token) -> note(surprises, at, token));
            if (root.isObject()) {
                flatten("", root, file);
            } else if (!root.isMissingNode() && !root.isNull()) {
                unreadable.add(file + ": found a list or plain text, allowed is a map of settings such as 'http: {port:"
                        + " 7575}'.");
            }
            surprises.stream()
                    .filter(surprise -> surprise.number() == null || isTakenAsNumber(surprise.key()))
                    .forEach(surprise -> problems.add(file + " at line " + surprise.line() + ": " + surprise.said()));
        } catch (NoSuchFileException e) {
            unreadable.add("--config: there is no file " + file + ".");
        } catch (JacksonException e) {
            unreadable.add(file + where(e) + ": " + reason(e));
        } catch (CharacterCodingException e) {
            unreadable.add(file + ": is no text in UTF-8.");
        } catch (AccessDeniedException e) {
            unreadable.add(file + ": this user may not read it.");
        } catch (IOException e) {
            unreadable.add(file + ": cannot be read: " + e.getMessage() + ".");
        }
        problems.addAll(unreadable);
    }

    private static String reason(JacksonException e) {
        return e.getOriginalMessage().contains("\\t(TAB)")
                ? "there is a tab; YAML wants spaces for indentation."
                : "this is not YAML that can be read: "
                        + e.getOriginalMessage().lines().findFirst().orElse("") + ".";
    }

    /**
     * Value that YAML reads differently from what most people mean, and that no setting needs.
     *
     * @param number as it is written; null: an alias
     */
    private record Surprise(int line, String key, @Nullable String number, String said) {}

    private static void note(List<Surprise> surprises, YAMLParser at, JsonToken token) throws IOException {
        int line = at.currentTokenLocation().getLineNr();
        String key = at.getParsingContext()
                .pathAsPointer()
                .toString()
                .replaceFirst("^/", "")
                .replace('/', '.');
        String text = at.getText();
        if (at.isCurrentAlias()) {
            surprises.add(new Surprise(line, key, null, YamlTree.noAliases(at) + "."));
        } else if (token == JsonToken.VALUE_NUMBER_INT
                && ODD_NUMBER.matcher(text).matches()) {
            surprises.add(new Surprise(
                    line,
                    key,
                    text,
                    text + " is " + at.getBigIntegerValue()
                            + " to YAML; write the number without leading zeros, 0x and underscores."));
        }
    }

    /** Returns whether a number would be accepted here. For text it is refused anyway, and it may be a secret. */
    private boolean isTakenAsNumber(String key) {
        Setting<?> setting = byKey.get(key);
        Found value = found.get(key);
        return setting != null
                && !setting.secret()
                && value != null
                && setting.type().reader().apply(value) != null;
    }

    /**
     * Returns the place of a problem. The exception has that of the last word before it; its text has both, the
     * problem's last.
     */
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
            } else if (REMOVED.containsKey(key)) {
                problems.add(key + " in " + file + ": " + REMOVED.get(key));
            } else if (value.isObject()) {
                flatten(key + ".", value, file);
            } else if (!(value.isNull() && isHeading(key))) {
                problems.add(key + " in " + file + ": there is no such setting" + suggestion(key, byKey.keySet()));
            }
        }
    }

    /** Returns whether the key is a heading, which is no mistake if all of its settings are commented out. */
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
        Map<String, String> removed = REMOVED.entrySet().stream()
                .collect(Collectors.toMap(entry -> Setting.variable(entry.getKey()), Map.Entry::getValue));
        for (Map.Entry<String, String> entry : new TreeMap<>(environment).entrySet()) {
            String variable = entry.getKey();
            String value = entry.getValue();
            String key = keys.get(variable);
            if (removed.containsKey(variable)) {
                problems.add(variable + " in the environment: " + removed.get(variable));
                continue;
            }
            if (!variable.startsWith("ROWLOCK_") || ForeignVariables.isLink(variable, value)) {
                continue;
            }
            if (key != null) {
                if (!(isSecret(key) ? value.isEmpty() : value.isBlank())) {
                    found.put(key, new Found(TextNode.valueOf(value), variable));
                }
            } else if (!ForeignVariables.contain(variable)) {
                warnings.add(variable + " in the environment is ignored: there is no such setting"
                        + suggestion(variable, keys.keySet()));
            }
        }
    }

    private boolean isSecret(String key) {
        return Objects.requireNonNull(byKey.get(key)).secret();
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
