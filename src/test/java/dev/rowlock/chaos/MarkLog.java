package dev.rowlock.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The file to which the commands append their marks, and the few lines of shell by which they do. */
final class MarkLog {

    private final Path dir;
    private final Path file;

    MarkLog(Path dir) throws IOException {
        this.dir = dir;
        this.file = dir.resolve("marks.log");
        Files.createFile(file);
        try (InputStream script = MarkLog.class.getResourceAsStream("marks.sh")) {
            Files.copy(script, dir.resolve("marks.sh"));
        }
        Programs.run(Map.of(), "mkfifo", dir.resolve("never").toString());
    }

    /** Where commands find it: their variable {@code CHAOS}. */
    Path dir() {
        return dir;
    }

    /** A command that marks its start and its end, with this between. */
    static String around(String body) {
        return ". \"$CHAOS/marks.sh\"; mark START; " + body + "; finish $?";
    }

    /** Starts a process that stays for a minute unless it is killed. {@code how} makes it independent of its parent. */
    static String child(String how, String first) {
        return how + " bash -c '. \"$CHAOS/marks.sh\"; " + first
                + " mark CHILD; pass 120' </dev/null >/dev/null 2>&1 &";
    }

    /** All marks so far, in the order in which they were written. */
    List<Mark> read() throws IOException {
        String text = Files.readString(file);
        return text.substring(0, text.lastIndexOf('\n') + 1)
                .lines()
                .map(Mark::parse)
                .toList();
    }
}
