package dev.rowlock.schedule;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Texts to start from: every expression of the vectors and of the documentation, valid or not. */
public final class FuzzSeeds {

    private static final Path VECTORS =
            Path.of("src", "test", "resources", "dev", "rowlock", "schedule", "vectors.tsv");

    private FuzzSeeds() {}

    static List<String> all() {
        try {
            TreeSet<String> seeds = new TreeSet<>();
            try (Stream<String> rows = Files.lines(VECTORS)) {
                rows.skip(1).map(row -> row.split("\t", -1)[0]).forEach(seeds::add);
            }
            DocumentedTables.table("| Schedule |").forEach(row -> seeds.add(row.get(0)));
            DocumentedTables.table("| Elsewhere |").forEach(row -> seeds.add(row.get(1)));
            return List.copyOf(seeds);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes each seed into a file of its own in the given directory, as {@link ScheduleFuzzer} reads them. */
    public static void main(String[] args) throws IOException {
        Path directory = Files.createDirectories(Path.of(args[0]));
        List<String> seeds = all();
        for (int i = 0; i < seeds.size(); i++) {
            Files.writeString(directory.resolve("seed-" + i), "0" + seeds.get(i));
        }
    }
}
