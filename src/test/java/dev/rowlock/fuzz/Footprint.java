package dev.rowlock.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a process holds on to.
 *
 * @param threads but those that serve requests, which have a bound of their own and go away slowly
 * @param serving threads that serve requests
 * @param files open files and sockets
 */
record Footprint(int threads, int serving, int files) {

    private static final String SERVING = "http-";

    static Footprint of(long pid) {
        Path process = Path.of("/proc", Long.toString(pid));
        List<String> names = list(process.resolve("task")).stream()
                .map(task -> name(task.resolve("comm")))
                .toList();
        int serving =
                (int) names.stream().filter(name -> name.startsWith(SERVING)).count();
        return new Footprint(
                names.size() - serving, serving, list(process.resolve("fd")).size());
    }

    private static List<Path> list(Path dir) {
        try (Stream<Path> entries = Files.list(dir)) {
            return entries.toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Empty: it has ended in the meantime. */
    private static String name(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            return "";
        }
    }
}
