package dev.rowlock.nodes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What commands say of themselves: a file to which each appends a line when it starts and one when it ends, past Rowlock and its database.
 */
final class Marks {

    static final String START = "START";
    static final String END = "END";

    private final Path file;

    Marks(Path file) throws IOException {
        this.file = file;
        Files.createFile(file);
    }

    /** A line; {@code uptimeMillis} is on the scale of {@code /proc/uptime}, in steps of ten. */
    record Mark(
            String kind,
            String job,
            Instant fireTime,
            int attempt,
            String cause,
            String node,
            String session,
            String launch,
            long uptimeMillis,
            long pid) {

        private static Mark parse(String line) {
            String[] word = line.split(" ", -1);
            return new Mark(
                    word[0],
                    word[1],
                    Instant.parse(word[2]),
                    Integer.parseInt(word[3]),
                    word[4],
                    word[5],
                    word[6],
                    word[7],
                    Long.parseLong(word[8].replace(".", "")) * 10,
                    Long.parseLong(word[9]));
        }

        private String attemptAtOccurrence() {
            return job + " " + fireTime + " " + attempt;
        }
    }

    /** A command that marks its start and its end, with this between. Starts no process for it. */
    String around(String command) {
        return "mark() { read -r up _ </proc/uptime; printf '%s %s %s %s %s %s %s %s %s %s\\n' \"$1\" \"$ROWLOCK_JOB\""
                + " \"$ROWLOCK_FIRE_TIME\" \"$ROWLOCK_ATTEMPT\" \"$ROWLOCK_CAUSE\" \"$ROWLOCK_NODE\" \"$ROWLOCK_SESSION\""
                + " \"$ROWLOCK_LAUNCH_ID\" \"$up\" $$ >>'" + file + "'; }; mark START; " + command + "; mark END";
    }

    List<Mark> all() throws IOException {
        String text = Files.readString(file);
        return text.substring(0, text.lastIndexOf('\n') + 1)
                .lines()
                .map(Mark::parse)
                .toList();
    }

    /** The starts of jobs of one namespace. */
    List<Mark> starts(String namespace) throws IOException {
        return of(namespace, START);
    }

    List<Mark> ends(String namespace) throws IOException {
        return of(namespace, END);
    }

    /** The marks of one kind. */
    List<Mark> of(String namespace, String kind) throws IOException {
        return all().stream()
                .filter(m -> m.kind().equals(kind) && m.job().startsWith(namespace + "/"))
                .toList();
    }

    /** What was started more than once, by launch id or by attempt at an occurrence; nothing ever should be. */
    static Set<String> doubles(List<Mark> starts) {
        Set<String> seen = new HashSet<>();
        return starts.stream()
                .flatMap(m -> List.of("launch " + m.launch(), m.attemptAtOccurrence()).stream())
                .filter(key -> !seen.add(key))
                .collect(Collectors.toSet());
    }
}
