package dev.rowlock.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Looks at {@code /proc} for itself. */
final class Processes {

    private static final Path PROC = Path.of("/proc");

    private Processes() {}

    /** A process that can still do something: no zombie. */
    record Found(long pid, String command, String environment) {

        boolean has(String variable, String value) {
            return environment.contains("\0" + variable + "=" + value + "\0");
        }

        /** The value of a variable; empty if it has none. */
        String value(String variable) {
            int start = environment.indexOf("\0" + variable + "=");
            if (start < 0) {
                return "";
            }
            int from = start + variable.length() + 2;
            return environment.substring(from, environment.indexOf('\0', from));
        }
    }

    /** Whether a process was stopped by a signal and goes on only when it is told to. */
    static boolean isStopped(long pid) {
        try {
            String stat = Files.readString(PROC.resolve(pid + "/stat"), StandardCharsets.ISO_8859_1);
            return stat.startsWith(") T", stat.lastIndexOf(')'));
        } catch (IOException e) {
            return false; // it has ended
        }
    }

    /** All processes with this variable in their environment. */
    static List<Found> with(String variable, String value) {
        return all().stream().filter(p -> p.has(variable, value)).toList();
    }

    static List<Found> all() {
        try (Stream<Path> entries = Files.list(PROC)) {
            return entries.filter(p -> p.getFileName().toString().matches("[0-9]+"))
                    .map(Processes::look)
                    .filter(p -> !p.environment.isEmpty())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The guard processes whose parent is this one. */
    static List<Long> guardsOf(long parent) {
        return ProcessHandle.of(parent).stream()
                .flatMap(ProcessHandle::children)
                .map(ProcessHandle::pid)
                .filter(pid -> read(PROC.resolve(Long.toString(pid)).resolve("cmdline"))
                        .contains("rowlock-guard"))
                .toList();
    }

    static void kill(long pid) {
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }

    private static Found look(Path process) {
        String environment = read(process.resolve("environ"));
        return new Found(
                Long.parseLong(process.getFileName().toString()),
                environment.isEmpty() ? "" : read(process.resolve("cmdline")).replace('\0', ' '),
                environment.isEmpty() ? "" : "\0" + environment + "\0");
    }

    /** Empty if it has ended meanwhile. */
    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }
}
