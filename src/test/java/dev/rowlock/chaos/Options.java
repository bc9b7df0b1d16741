package dev.rowlock.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What a run is to be like.
 *
 * @param length how long faults are injected; settling and checking come on top
 * @param database {@code embedded}, {@code mysql}, {@code group}, {@code galera}, {@code galera-members} or a JDBC URL
 * @param faults the kinds that may be injected
 * @param policies what jobs may ask for, and operators do
 * @param dir what the run leaves behind: marks, logs, the plan
 */
record Options(
        Duration length,
        int nodes,
        int jobs,
        long seed,
        String database,
        Set<FaultKind> faults,
        Set<Policy> policies,
        Path dir) {

    private static final String USAGE =
            "usage: scripts/chaos [--minutes M] [--nodes N] [--jobs N] [--seed S] [--database embedded|mysql|group|galera|galera-members|URL]"
                    + " [--faults a,b,…|all,-a,-b,…|none] [--policies like --faults] [--dir DIRECTORY]\nfaults: "
                    + EnumSet.allOf(FaultKind.class) + "\npolicies: " + EnumSet.allOf(Policy.class);

    /** @throws IllegalArgumentException with a sentence for people */
    static Options parse(List<String> arguments) {
        Deque<String> left = new ArrayDeque<>(arguments);
        double minutes = 2;
        int nodes = 3;
        int jobs = 100;
        long seed = System.nanoTime() % 1_000_000;
        String database = "embedded";
        Set<FaultKind> faults = EnumSet.allOf(FaultKind.class);
        Set<Policy> policies = EnumSet.allOf(Policy.class);
        Path dir = null;
        while (!left.isEmpty()) {
            String option = left.pop();
            if (option.equals("--help")) {
                throw new IllegalArgumentException(USAGE);
            }
            if (left.isEmpty()) {
                throw new IllegalArgumentException(option + " needs a value\n" + USAGE);
            }
            String value = left.pop();
            switch (option) {
                case "--minutes" -> minutes = number(option, value, 0.1, 10_000);
                case "--nodes" -> nodes = (int) number(option, value, 1, 20);
                case "--jobs" -> jobs = (int) number(option, value, 1, 10_000);
                case "--seed" -> seed = Long.parseLong(value);
                case "--database" -> database = value;
                case "--faults" -> faults = chosen(FaultKind.class, value);
                case "--policies" -> policies = chosen(Policy.class, value);
                case "--dir" -> dir = Path.of(value);
                default -> throw new IllegalArgumentException(option + " is unknown\n" + USAGE);
            }
        }
        Path where = dir == null
                ? Path.of(
                        "target",
                        "chaos",
                        "seed-" + seed + "-" + ProcessHandle.current().pid())
                : dir;
        Duration length = Duration.ofMillis((long) (minutes * 60_000));
        return new Options(length, nodes, jobs, seed, database, faults, policies, where.toAbsolutePath());
    }

    private static double number(String option, String value, double min, double max) {
        try {
            double number = Double.parseDouble(value);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(option + " must be a number, not '" + value + "'\n" + USAGE, e);
        }
        throw new IllegalArgumentException(option + " must be from " + min + " to " + max + ", not " + value);
    }

    /** By name; {@code all} adds all of them, and one with a minus is left out. */
    private static <E extends Enum<E>> Set<E> chosen(Class<E> type, String value) {
        Set<E> chosen = EnumSet.noneOf(type);
        for (String word : value.split(",", -1)) {
            String name = word.strip();
            if (name.equals("all")) {
                chosen.addAll(EnumSet.allOf(type));
            } else if (name.startsWith("-")) {
                chosen.remove(one(type, name.substring(1)));
            } else if (!name.equals("none")) {
                chosen.add(one(type, name));
            }
        }
        return chosen;
    }

    private static <E extends Enum<E>> E one(Class<E> type, String name) {
        return Arrays.stream(type.getEnumConstants())
                .filter(one -> one.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "there is no " + (type == Policy.class ? "policy" : "fault") + " '" + name + "'\n" + USAGE));
    }
}
