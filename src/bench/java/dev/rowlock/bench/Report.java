package dev.rowlock.bench;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Prints each result as it comes, and at the end the medians of the rounds as a Markdown table. */
final class Report {

    private final PrintStream out = System.out;
    private final String scenario;
    private final Map<String, List<Line>> rounds = new LinkedHashMap<>();
    private final List<String> notes = new ArrayList<>();

    Report(String scenario) {
        this.scenario = scenario;
    }

    void add(String who, Line line) {
        rounds.computeIfAbsent(who, w -> new ArrayList<>()).add(line);
        out.println(Line.of("scenario", scenario).with("who", who).with(line).with("load", Machine.load()));
    }

    /** A result that counts in no median. */
    void warmUp(String who, Line line) {
        out.println(Line.of("scenario", scenario)
                .with("who", who)
                .with("warmup", true)
                .with(line)
                .with("load", Machine.load()));
    }

    void note(String text) {
        notes.add(text);
        out.println("# " + text);
    }

    /** The median of one figure; NaN if there is none. */
    double median(String who, String name) {
        List<Double> values = rounds.getOrDefault(who, List.of()).stream()
                .map(line -> line.values.get(name))
                .filter(Number.class::isInstance)
                .map(value -> ((Number) value).doubleValue())
                .sorted()
                .toList();
        if (values.isEmpty()) {
            return Double.NaN;
        }
        int middle = values.size() / 2;
        return values.size() % 2 == 1 ? values.get(middle) : (values.get(middle - 1) + values.get(middle)) / 2;
    }

    void print() {
        Set<String> columns = new LinkedHashSet<>();
        rounds.values().stream().flatMap(List::stream).forEach(line -> columns.addAll(line.values.keySet()));
        columns.remove("round");
        out.println();
        out.println("**" + scenario + "** (medians)");
        out.println();
        row(Stream.concat(Stream.of("who", "rounds"), columns.stream()));
        row(Stream.concat(Stream.of("---", "---"), columns.stream().map(c -> "---")));
        rounds.forEach((who, lines) -> row(Stream.concat(
                Stream.of(who, Integer.toString(lines.size())), columns.stream().map(c -> cell(who, lines, c)))));
        out.println();
        notes.forEach(note -> out.println("- " + note));
        out.flush();
    }

    private String cell(String who, List<Line> lines, String column) {
        double median = median(who, column);
        if (!Double.isNaN(median)) {
            boolean whole = lines.stream().noneMatch(line -> line.values.get(column) instanceof Double);
            return whole && median == Math.rint(median) ? Long.toString((long) median) : Line.text(median);
        }
        return lines.stream()
                .map(line -> line.values.get(column))
                .filter(v -> v != null)
                .map(Line::text)
                .findFirst()
                .orElse("");
    }

    private void row(Stream<String> cells) {
        out.println(cells.collect(Collectors.joining(" | ", "| ", " |")));
    }
}
