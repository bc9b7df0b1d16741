package dev.rowlock.cli.imports;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Names for jobs that had none: those of the programs that they run. */
public final class JobNames {

    private static final int LONGEST = 100;
    /** What only prepares, or asks whether something is there. */
    private static final Pattern PREPARES = Pattern.compile(
            "(?:cd|test|\\[|\\[\\[|export|umask|sleep|source|\\.|:|set|ulimit|mkdir|command)(?:\\s.*)?");
    /** What runs another program, with its options and their values. */
    private static final Pattern RUNS =
            Pattern.compile("(?:\\S*/)?(?:exec|nohup|chronic|command|env|nice|ionice|chrt|setsid|sudo|time"
                    + "|timeout|flock|cronic|(?:ba|da|z|k)?sh|python[0-9.]*|perl|ruby|php[0-9.]*|node|java)"
                    + "(?:\\s+(?:-c|-jar)(?=\\s)|\\s+-[nu]\\s*\\S+|\\s+-\\S*|\\s+[0-9]+[smhd]?(?=\\s)"
                    + "|\\s+/(?:var/)?(?:run|lock|tmp)/\\S+)*\\s+");

    private static final Pattern SETS = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*=(?:\"[^\"]*\"|'[^']*'|\\S*)\\s+");

    private final Set<String> taken = new HashSet<>();

    /** Another one for each call. */
    public String of(String command, int line) {
        return free(clean(program(command)), "line-" + line);
    }

    /**
     * A name that another scheduler has for it, as far as it can be one here.
     *
     * @param otherwise where nothing is left of it
     */
    public String named(String theirs, String otherwise) {
        return free(clean(theirs), otherwise);
    }

    private String free(String wanted, String otherwise) {
        String name = wanted.isEmpty() ? otherwise : wanted;
        String free = name;
        for (int i = 2; !taken.add(free.toLowerCase(Locale.ROOT)); i++) {
            free = name + "-" + i;
        }
        return free;
    }

    private static String program(String command) {
        for (String part : command.split("&&|\\|\\||[;|{}()\n]", -1)) {
            String rest = part.strip();
            if (!rest.isEmpty() && !PREPARES.matcher(rest).matches()) {
                return of(rest);
            }
        }
        return of(command.strip());
    }

    private static String of(String part) {
        String rest = part;
        for (String before = ""; !before.equals(rest); ) {
            before = rest;
            rest = skip(SETS, skip(RUNS, rest)).replaceFirst("^[\"']", "");
        }
        String[] words = rest.replaceFirst("[\\s\"'<>&]+$", "").split("[\\s\"'<>&]+", -1);
        String program = words[0];
        if (program.matches("(?:.*/)?run-parts") && words.length > 1) {
            program = words[words.length - 1]; // the directory says what it is about
        }
        return program.replaceFirst("/+$", "")
                .replaceFirst(".*/", "")
                .replaceFirst("(?<=.)\\.(?:sh|bash|py|pl|rb|php|jar|js)$", "");
    }

    private static String skip(Pattern what, String text) {
        var matcher = what.matcher(text);
        return matcher.lookingAt() ? text.substring(matcher.end()) : text;
    }

    private static String clean(String name) {
        String clean = name.replaceAll("[^A-Za-z0-9._-]+", "-").replaceAll("^[-.]+|[-.]+$", "");
        return clean.substring(0, Math.min(LONGEST, clean.length()));
    }
}
