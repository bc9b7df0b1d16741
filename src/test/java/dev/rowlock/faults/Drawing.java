package dev.rowlock.faults;

import dev.rowlock.faults.Operator.Change;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A draw of faults by a seed. Of thirty slots each has its area, by weight, and a row of draws of its own: if the first
 * is of no use (it does not compile, or nobody could see it), the next is taken.
 */
final class Drawing {

    /** How many slots an area has, and where its sources are. */
    private static final Map<String, Integer> WEIGHTS = Map.of(
            "engine", 5, "store", 3, "task", 6, "access", 4, "exec", 4, "schedule", 2, "api", 2, "cli", 2, "page", 2);

    private static final List<Operator> OPERATORS = List.of(Operator.values());
    private static final int DRAWS = 6;
    private static final int LINES_OF_CONTEXT = 6;

    private final Sources sources;
    private final long seed;

    Drawing(Sources sources, long seed) {
        this.sources = sources;
        this.seed = seed;
    }

    /** Prints the draws in the form of the list; what each says is left to be written. */
    void print(PrintStream out) throws IOException {
        List<String> slots = new ArrayList<>();
        FaultList.AREAS.forEach(area -> slots.addAll(Collections.nCopies(WEIGHTS.get(area), area)));
        Collections.shuffle(slots, new Random(seed));
        for (int slot = 1; slot <= slots.size(); slot++) {
            Random random = new Random(seed * 31 + slot);
            List<Path> files = filesOf(slots.get(slot - 1));
            for (int draw = 1; draw <= DRAWS; draw++) {
                out.printf("# d%02d, draw %d%n", slot, draw);
                out.println(entry(String.format("d%02d", slot), slots.get(slot - 1), files, random));
            }
        }
    }

    private List<Path> filesOf(String area) {
        return sources.files().stream().filter(file -> isOf(area, file)).toList();
    }

    private static boolean isOf(String area, Path file) {
        String name = file.toString();
        if (area.equals("page")) {
            return name.startsWith("src/main/resources/ui/") && name.endsWith(".js");
        }
        return (name.startsWith("src/main/java/dev/rowlock/" + area + "/")
                        && name.endsWith(".java")
                        && !name.endsWith("package-info.java"))
                || (area.equals("store") && name.startsWith("sql/"))
                || (area.equals("engine") && name.startsWith("src/main/java/dev/rowlock/node/"));
    }

    private String entry(String id, String area, List<Path> files, Random random) throws IOException {
        while (true) {
            Operator operator = OPERATORS.get(random.nextInt(OPERATORS.size()));
            Path file = files.get(random.nextInt(files.size()));
            List<String> lines = sources.read(file).lines().toList();
            List<Change> changes = operator.find(lines);
            if (changes.isEmpty()) {
                continue;
            }
            Change change = unique(changes.get(random.nextInt(changes.size())), lines);
            if (change != null) {
                return String.join(
                        "\n",
                        "id: " + id,
                        "area: " + area,
                        "origin: drawn",
                        "kind: " + operator.word(),
                        "says: ?",
                        "file: **/" + file.getFileName(),
                        "text: " + indented(lines.subList(change.from(), change.to())),
                        "with: " + indented(change.with()),
                        "");
            }
        }
    }

    /** Takes in lines before it until the text stands only once in its file; null if too many would be needed. */
    private static Change unique(Change change, List<String> lines) {
        FoldedText all = FoldedText.of(String.join("\n", lines));
        Change wider = change;
        for (int more = 0; more <= LINES_OF_CONTEXT; more++) {
            String text = String.join("\n", lines.subList(wider.from(), wider.to()));
            if (all.find(text).size() == 1) {
                return wider;
            }
            if (wider.from() == 0) {
                return null;
            }
            List<String> with = new ArrayList<>(List.of(lines.get(wider.from() - 1)));
            with.addAll(wider.with());
            wider = new Change(wider.from() - 1, wider.to(), with);
        }
        return null;
    }

    private static String indented(List<String> lines) {
        return String.join("\n  ", lines.stream().map(String::strip).toList());
    }
}
