package dev.rowlock.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Which test classes run into the place of which fault, and how long each class takes. A file of two kinds of lines:
 * seconds and a class; a fault and its classes.
 */
final class Covering {

    static final Path FILE = Path.of("src", "test", "faults", "covering.tsv");

    private final Map<String, Double> seconds = new TreeMap<>();
    private final Map<String, List<String>> covering = new TreeMap<>();

    static Covering read(Path file) throws IOException {
        Covering covering = new Covering();
        if (Files.exists(file)) {
            Files.readAllLines(file).forEach(covering::add);
        }
        return covering;
    }

    private void add(String line) {
        String[] words = line.split("\t", -1);
        if (line.startsWith("#") || words.length != 2) {
            return;
        }
        if (Character.isDigit(line.charAt(0))) {
            seconds.put(words[1], Double.valueOf(words[0]));
        } else {
            covering.put(words[0], List.of(words[1].split(" ", -1)));
        }
    }

    void took(String simpleName, double took) {
        seconds.merge(simpleName, took, Math::max);
    }

    void covers(String fault, Set<String> simpleNames) {
        covering.put(fault, cheapestFirst(simpleNames));
    }

    double seconds(String simpleName) {
        return seconds.getOrDefault(simpleName, 10.0);
    }

    boolean isEmpty(String fault) {
        return covering.getOrDefault(fault, List.of()).isEmpty();
    }

    /**
     * Tells what is to run for a fault: what is recorded, what the fault itself names, and the test with the name of
     * its file. What is named, but not by a pattern, comes first, then the cheapest.
     *
     * @param existing simple names of test classes; others are left out
     */
    List<String> classes(Fault fault, Set<String> existing) {
        Set<String> names = new LinkedHashSet<>(covering.getOrDefault(fault.id(), List.of()));
        for (String pattern : fault.tests()) {
            Pattern regex = Pattern.compile(pattern.replace("*", ".*"));
            existing.stream().filter(name -> regex.matcher(name).matches()).forEach(names::add);
        }
        String own = fault.file().replaceAll("^.*/|\\.\\w+$", "") + "Test";
        names.add(own);
        names.retainAll(existing);
        List<String> sorted = new ArrayList<>(cheapestFirst(names));
        sorted.sort(
                Comparator.comparing(name -> !name.equals(own) && !fault.tests().contains(name))); // stable
        return sorted;
    }

    private List<String> cheapestFirst(Set<String> names) {
        return names.stream()
                .sorted(Comparator.comparingDouble(this::seconds).thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    List<String> all(Set<String> existing) {
        return cheapestFirst(existing);
    }

    void write(Path file) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add(
                "# Written by scripts/planted-faults --record: the seconds that each test class takes, then for each");
        lines.add("# fault the classes that run into its place, cheapest first.");
        seconds.forEach((name, took) -> lines.add(String.format(java.util.Locale.ROOT, "%.1f\t%s", took, name)));
        covering.forEach((fault, names) -> lines.add(fault + "\t" + String.join(" ", names)));
        Files.createDirectories(file.getParent());
        Files.write(file, lines);
    }

    /** Finds the test classes that are compiled: by their simple names, of which few are the same, the full ones. */
    static Map<String, List<String>> existing(Path testClasses) throws IOException {
        try (var all = Files.walk(testClasses)) {
            return all.map(file -> testClasses.relativize(file).toString())
                    .filter(name -> name.endsWith("Test.class") && !name.contains("$"))
                    .map(name ->
                            name.substring(0, name.length() - ".class".length()).replace('/', '.'))
                    .sorted()
                    .collect(Collectors.groupingBy(
                            name -> name.substring(name.lastIndexOf('.') + 1), HashMap::new, Collectors.toList()));
        }
    }
}
