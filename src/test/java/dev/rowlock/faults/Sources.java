package dev.rowlock.faults;

import dev.rowlock.faults.FoldedText.Span;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The files that faults are planted in: those of the program, by their paths from the directory of the project. */
final class Sources {

    private static final List<Path> ROOTS =
            List.of(Path.of("src", "main", "java"), Path.of("src", "main", "resources"), Path.of("sql"));

    private final Path project;
    private final List<Path> files = new ArrayList<>();

    Sources(Path project) throws IOException {
        this.project = project;
        for (Path root : ROOTS) {
            try (Stream<Path> all = Files.walk(project.resolve(root))) {
                all.filter(Files::isRegularFile).map(project::relativize).forEach(files::add);
            }
        }
        files.sort(null);
    }

    List<Path> files() {
        return files;
    }

    String read(Path file) throws IOException {
        return Files.readString(project.resolve(file));
    }

    /** Finds where a fault belongs. */
    Place find(Fault fault) throws IOException, DoesNotApply {
        PathMatcher pattern = FileSystems.getDefault().getPathMatcher("glob:" + fault.file());
        List<Path> found = files.stream().filter(pattern::matches).toList();
        if (found.size() != 1) {
            throw new DoesNotApply(fault.id() + ": " + fault.file() + " matches " + some(found.size()) + " files");
        }
        String text = read(found.get(0));
        List<Span> spans = FoldedText.of(text).find(fault.text());
        if (spans.size() != 1) {
            throw new DoesNotApply(
                    fault.id() + ": its text stands " + some(spans.size()) + " times in " + found.get(0));
        }
        return new Place(found.get(0), text, spans.get(0));
    }

    private static String some(int count) {
        return count == 0 ? "no" : Integer.toString(count);
    }

    /** Tells where the class path finds a file, or for a source what the compiler makes of it. */
    static Path packed(Path file) {
        for (Path root : ROOTS.subList(0, 2)) {
            if (file.startsWith(root)) {
                return root.relativize(file);
            }
        }
        return Path.of("db", "migration").resolve(ROOTS.get(2).relativize(file));
    }

    /**
     * The place of a fault.
     *
     * @param file from the directory of the project
     * @param text all of the file
     */
    record Place(Path file, String text, Span span) {

        String changed(String with) {
            return text.substring(0, span.from()) + with + text.substring(span.to());
        }
    }

    /** A fault of the list that fits the sources no more. */
    static final class DoesNotApply extends Exception {

        private static final long serialVersionUID = 1;

        DoesNotApply(String message) {
            super(message);
        }
    }
}
