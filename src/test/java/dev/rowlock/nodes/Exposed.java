package dev.rowlock.nodes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a scrape shows.
 *
 * @param rowlock the type of each of our own metrics, and its labels
 * @param series the name of each series, whoever's
 */
record Exposed(Map<String, String> rowlock, Set<String> series) {

    private static final Pattern TYPE = Pattern.compile("# TYPE (\\w+) (\\w+)");
    private static final Pattern SERIES = Pattern.compile("([a-z_]+)(?:\\{(.*)})? \\S+");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"");
    private static final Pattern NAMED = Pattern.compile("\\b(?:rowlock|jvm|process)_[a-z_]+\\b");

    static Exposed parse(String text) {
        Map<String, String> types = new TreeMap<>();
        Map<String, Set<String>> labels = new TreeMap<>();
        Set<String> series = new TreeSet<>();
        for (String line : text.lines().toList()) {
            Matcher type = TYPE.matcher(line);
            Matcher point = SERIES.matcher(line);
            if (type.matches()) {
                types.put(type.group(1), type.group(2));
            } else if (!line.startsWith("#") && point.matches()) {
                series.add(point.group(1));
                labels.computeIfAbsent(family(point.group(1), types), name -> new TreeSet<>())
                        .addAll(names(point.group(2)));
            }
        }
        Map<String, String> rowlock = new TreeMap<>();
        types.forEach((name, type) -> {
            if (name.startsWith("rowlock_")) {
                Set<String> of = labels.getOrDefault(name, Set.of());
                rowlock.put(name, type + " " + of);
            }
        });
        return new Exposed(rowlock, series);
    }

    private static String family(String series, Map<String, String> types) {
        String base = series.replaceFirst("_(bucket|sum|count)$", "");
        return types.containsKey(series) ? series : base;
    }

    private static Set<String> names(String labels) {
        return labels == null
                ? Set.of()
                : LABEL.matcher(labels)
                        .results()
                        .map(label -> label.group(1))
                        .filter(label -> !label.equals("le"))
                        .collect(Collectors.toSet());
    }

    /** The same, as docs/metrics.md has it. */
    static Map<String, String> documented() throws IOException {
        Map<String, String> rows = new TreeMap<>();
        for (String line : Files.readAllLines(Path.of("docs", "metrics.md"))) {
            if (line.startsWith("| `rowlock_")) {
                String[] cells = line.split("\\|", -1);
                Set<String> labels = Arrays.stream(cells[3].replace("`", "").split(","))
                        .map(String::strip)
                        .filter(label -> !label.isEmpty())
                        .collect(Collectors.toCollection(TreeSet::new));
                rows.put(cells[1].replace("`", "").strip(), cells[2].strip() + " " + labels);
            }
        }
        return rows;
    }

    /** The metrics that these files of {@code config} name. */
    static Set<String> namedIn(String... files) throws IOException {
        Set<String> named = new TreeSet<>();
        for (String file : files) {
            NAMED.matcher(Files.readString(Path.of("config", file))).results().forEach(name -> named.add(name.group()));
        }
        return named;
    }
}
