package dev.rowlock.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.rowlock.field.Suggestion;
import dev.rowlock.yaml.WrongFiles;
import dev.rowlock.yaml.YamlText;
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
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** File and environment merged into one map from key to value; the environment wins. Collects what is wrong. */
final class Sources {

    /** Settings of earlier versions, and what to do instead. */
    private static final Map<String, String> REMOVED = Map.of(
            "session.on-disconnect",
            "there is no such setting any more: commands always end at session.fence, before others may run them"
                    + " again. Remove it; to let commands outlast longer outages, raise session.fence and"
                    + " session.timeout.");

    private final Map<String, Setting<?>> byKey =
            Settings.all().stream().collect(Collectors.toMap(Setting::key, setting -> setting));
    private final Map<String, FoundValue> found = new HashMap<>();
    private final List<String> problems;
    private final List<String> warnings;
    private final List<String> unreadable = new ArrayList<>();

    /** @param warnings filled with what may be a mistake, and stops nothing */
    Sources(List<String> problems, List<String> warnings) {
        this.problems = problems;
        this.warnings = warnings;
    }

    /** Returns why nothing is known of the file; empty if all is. */
    List<String> unreadable() {
        return unreadable;
    }

    Map<String, FoundValue> found() {
        return found;
    }

    void readFile(Path file) {
        try {
            JsonNode root = YamlText.one(file.toString(), Files.readString(file));
            if (root.isObject()) {
                flatten("", root, file);
            } else if (!root.isMissingNode() && !root.isNull()) {
                unreadable.add(file + ": found a list or plain text, allowed is a map of settings such as 'http: {port:"
                        + " 7575}'.");
            }
        } catch (NoSuchFileException e) {
            unreadable.add("--config: there is no file " + file + ".");
        } catch (WrongFiles e) {
            unreadable.addAll(e.sentences());
        } catch (CharacterCodingException e) {
            unreadable.add(file + ": is no text in UTF-8.");
        } catch (AccessDeniedException e) {
            unreadable.add(file + ": this user may not read it.");
        } catch (IOException e) {
            unreadable.add(file + ": cannot be read: " + e.getMessage() + ".");
        }
        problems.addAll(unreadable);
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
        if (found.put(key, new FoundValue(value, null)) != null) {
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
                    found.put(key, new FoundValue(TextNode.valueOf(value), variable));
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

    /** Variables that begin like those of settings, but are neither settings nor mistakes. */
    private static final class ForeignVariables {

        /** Variables of the scripts, of the log, of clients, and those that every command gets. */
        private static final Set<String> KNOWN = Set.of(
                "ROWLOCK_HOME",
                "ROWLOCK_JAVA_OPTS",
                "ROWLOCK_LOG_LEVEL",
                "ROWLOCK_URL",
                "ROWLOCK_TOKEN",
                "ROWLOCK_JOB",
                "ROWLOCK_TASK_ID",
                "ROWLOCK_LAUNCH_ID",
                "ROWLOCK_SESSION",
                "ROWLOCK_NODE",
                "ROWLOCK_FIRE_TIME",
                "ROWLOCK_SCHEDULE",
                "ROWLOCK_ATTEMPT",
                "ROWLOCK_CAUSE",
                "ROWLOCK_FENCING_TOKEN");

        /**
         * Variables that Kubernetes gives every container of a namespace with a Service whose name begins with rowlock.
         */
        private static final Pattern OF_A_SERVICE = Pattern.compile("ROWLOCK_([A-Z0-9_]+_)?"
                + "(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)");

        private ForeignVariables() {}

        static boolean contain(String variable) {
            return KNOWN.contains(variable)
                    || variable.startsWith("ROWLOCK_TEST_")
                    || OF_A_SERVICE.matcher(variable).matches();
        }

        /**
         * Returns whether the value is the address of a Kubernetes Service: that of one named rowlock-http is in the
         * variable of our port.
         */
        static boolean isLink(String variable, String value) {
            return variable.matches("ROWLOCK_([A-Z0-9_]+_)?PORT") && value.matches("(tcp|udp|sctp)://.*");
        }
    }
}
