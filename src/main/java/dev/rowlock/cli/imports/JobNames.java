package dev.rowlock.cli.imports;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Names for jobs that had none: those of the programs that they run, with an argument where several run one program.
 * They are settled when all jobs are known, so that the order of the lines does not matter.
 */
public final class JobNames {

    private static final int LONGEST = 100;
    /** Depth to which {@code sh -c "sh -c …"} is followed. */
    private static final int DEEPEST = 3;

    /** Commands that only prepare, or ask whether something is there. */
    private static final Set<String> PREPARES = Set.of(
            "cd", "test", "[", "[[", "export", "umask", "sleep", "source", ".", ":", "set", "ulimit", "mkdir", "hash",
            "type", "which", "true", "exit", "local", "declare", "unset", "trap", "shopt", "((");

    /** Commands that run another one. */
    private static final Set<String> RUNS = Set.of("""
            exec nohup chronic command builtin env nice ionice chrt setsid sudo doas time timeout flock
            setlock lockf cronic stdbuf taskset eval su runuser systemd-cat systemd-run setpriv""".split("\\s+"));

    private static final Set<String> LOCKS = Set.of("flock", "setlock", "lockf");
    private static final Set<String> RUN_TEXT = Set.of("su", "runuser", "flock");

    private static final Pattern INTERPRETER =
            Pattern.compile("(?:ba|da|z|k|a)?sh|python[0-9.]*|perl|ruby|php[0-9.]*|node|java|Rscript");
    private static final Pattern ASSIGNMENT = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*\\+?=.*", Pattern.DOTALL);
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{?[A-Za-z_][A-Za-z0-9_]*}?");
    /** Options of what runs others whose value is a word of its own. */
    private static final Pattern TAKES_VALUE = Pattern.compile("-[ugwkcpt]|--user|--group|--adjustment|--wait");

    private static final Pattern NUMBER = Pattern.compile("[0-9.]+[smhd]?");
    private final Map<String, List<NamedDraft>> byProgram = new LinkedHashMap<>();
    private final Set<String> taken = new HashSet<>();

    private record NamedDraft(
            Draft draft, String name, @Nullable String command, List<String> arguments) {}

    /** Names a job after what it runs, when all are known. */
    public void of(Draft draft, String command, int line) {
        List<String> words = program(command, 0);
        String name = words.isEmpty() ? "" : clean(words.get(0));
        add(
                draft,
                name.isEmpty() ? "line-" + line : name,
                command,
                words.isEmpty() ? words : words.subList(1, words.size()));
    }

    /**
     * Names a job as another scheduler does, as far as that can be a name here.
     *
     * @param otherwise where nothing is left of it
     * @param further what tells several of that name apart
     */
    public void named(Draft draft, String theirs, String otherwise, String... further) {
        String name = clean(theirs);
        add(draft, name.isEmpty() ? otherwise : name, null, List.of(further));
    }

    private void add(Draft draft, String name, @Nullable String command, List<String> arguments) {
        draft.job().put("name", name); // in front of all other fields
        byProgram
                .computeIfAbsent(name.toLowerCase(Locale.ROOT), key -> new ArrayList<>())
                .add(new NamedDraft(draft, name, command, arguments));
    }

    /** Leaves out a draft that has become part of another. */
    void forget(Draft draft) {
        byProgram.values().forEach(alike -> alike.removeIf(entry -> entry.draft() == draft));
    }

    /** Makes the names different, and puts them into the jobs. */
    public void settle() {
        taken.addAll(byProgram.keySet());
        byProgram.values().stream().filter(alike -> alike.size() > 1).forEach(this::tellApart);
        byProgram.clear();
    }

    private void tellApart(List<NamedDraft> alike) {
        Set<String> common = new HashSet<>(alike.get(0).arguments());
        alike.forEach(entry -> common.retainAll(entry.arguments()));
        Map<String, String> byCommand = new HashMap<>();
        boolean isFree = true; // the bare name, for the first that has no more
        for (NamedDraft entry : alike) {
            String same = entry.command() == null ? null : byCommand.get(entry.command());
            String wanted = same == null ? with(entry, common) : same;
            boolean isOwn = isFree && wanted.equals(entry.name());
            isFree &= !isOwn;
            String name = isOwn ? wanted : free(wanted);
            if (same != null) {
                entry.draft().remark("the same command as that of " + same);
            } else if (entry.command() != null) {
                byCommand.put(entry.command(), name);
            }
            entry.draft().job().put("name", name);
        }
    }

    /** Returns its name, with the first argument that others lack if there is one. */
    private static String with(NamedDraft entry, Set<String> common) {
        return entry.arguments().stream()
                .filter(argument -> !common.contains(argument))
                .map(argument -> clean(file(argument)))
                .filter(argument -> !argument.isEmpty())
                .findFirst()
                .map(argument -> cut(entry.name() + "-" + argument))
                .orElse(entry.name());
    }

    private String free(String wanted) {
        String free = wanted;
        for (int i = 2; !taken.add(free.toLowerCase(Locale.ROOT)); i++) {
            free = wanted + "-" + i;
        }
        return free;
    }

    /** Returns the program with its arguments; empty if there is none. */
    private static List<String> program(String command, int depth) {
        List<ShellText.Simple> commands = ShellText.commands(command);
        for (ShellText.Simple simple : commands) {
            List<String> words = simple.isAsked() ? List.of() : started(simple.words(), depth);
            if (!words.isEmpty()) {
                return words;
            }
        }
        for (ShellText.Simple simple : commands) { // a line that only prepares
            List<String> words =
                    simple.words().stream().filter(word -> !isAssignment(word)).toList();
            if (!words.isEmpty()) {
                return named(words);
            }
        }
        return List.of();
    }

    /** Returns what a simple command starts, beyond assignments and what runs others; empty: it only prepares. */
    private static List<String> started(List<String> words, int depth) {
        int at = 0;
        while (at < words.size()) {
            String word = words.get(at);
            String name = file(word);
            boolean isLookup = word.equals("command")
                    && at + 1 < words.size()
                    && words.get(at + 1).matches("-[vV]");
            if (isLookup || PREPARES.contains(word) || (name.matches("[ef]?grep") && isQuiet(words))) {
                return List.of();
            } else if (isAssignment(word) || (VARIABLE.matcher(word).matches() && at + 1 < words.size())) {
                at++;
            } else if (RUNS.contains(name)) {
                int script = RUN_TEXT.contains(name) ? words.indexOf("-c") : -1;
                if (script > at && script + 1 < words.size() && depth < DEEPEST) {
                    return program(words.get(script + 1), depth + 1);
                }
                at = beyondOptions(words, at + 1) + (LOCKS.contains(name) ? 1 : 0);
            } else if (INTERPRETER.matcher(name).matches()) {
                return interpreted(words.subList(at, words.size()), depth);
            } else {
                return named(words.subList(at, words.size()));
            }
        }
        return List.of();
    }

    /** Returns the index at which the next command begins, in {@code flock -w 15 /run/x.lock} and the like. */
    private static int beyondOptions(List<String> words, int from) {
        int at = from;
        while (at < words.size()) {
            String word = words.get(at);
            if (TAKES_VALUE.matcher(word).matches() && at + 1 < words.size()) {
                at += 2;
            } else if (word.startsWith("-") || NUMBER.matcher(word).matches()) {
                at++;
            } else {
                return at;
            }
        }
        return at;
    }

    private static List<String> interpreted(List<String> words, int depth) {
        for (int i = 1; i < words.size(); i++) {
            String word = words.get(i);
            if (word.matches("-[a-z]*[ce]") || word.equals("-r")) {
                boolean isShell = file(words.get(0)).endsWith("sh");
                List<String> inside = isShell && i + 1 < words.size() && depth < DEEPEST
                        ? program(words.get(i + 1), depth + 1)
                        : List.of();
                return isShell || (i + 1 < words.size() && words.get(i + 1).matches("\\s*sleep\\b.*"))
                        ? inside
                        : List.of(words.get(0));
            }
            if (word.equals("-m") && i + 1 < words.size()) {
                return words.subList(i + 1, words.size());
            }
            if (!word.startsWith("-") && !isAssignment(word)) {
                return named(words.subList(i, words.size()));
            }
        }
        return List.of(file(words.get(0)));
    }

    private static List<String> named(List<String> words) {
        List<String> named = new ArrayList<>(words);
        if (file(words.get(0)).equals("run-parts") && words.size() > 1) {
            return List.of(file(words.get(words.size() - 1))); // the directory says what it is about
        }
        named.set(0, file(words.get(0)).replaceFirst("(?<=.)\\.(?:sh|bash|py|pl|rb|php|jar|js)$", ""));
        return named;
    }

    private static boolean isQuiet(List<String> words) {
        return words.stream().anyMatch(word -> word.matches("-[a-zA-Z]*q[a-zA-Z]*|--quiet|--silent"));
    }

    private static boolean isAssignment(String word) {
        return ASSIGNMENT.matcher(word).matches();
    }

    /** Returns the last part of a path, in one pass. */
    static String file(String path) {
        int end = path.length();
        while (end > 0 && path.charAt(end - 1) == '/') {
            end--;
        }
        return path.substring(path.lastIndexOf('/', end - 1) + 1, end);
    }

    private static String clean(String name) {
        String plain = Normalizer.normalize(name, Normalizer.Form.NFD).replaceAll("\\p{M}+", "");
        return cut(plain.replaceAll("[^A-Za-z0-9._-]+", "-").replaceAll("^[-.]+|[-.]+$", ""));
    }

    private static String cut(String name) {
        return name.substring(0, Math.min(LONGEST, name.length()));
    }
}
