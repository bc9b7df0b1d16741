package dev.rowlock.exec.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Time since boot: the one clock that the daemon, the guard and the commands' shells can all read and nobody can set.
 * It goes on while the machine is suspended.
 */
public final class Uptime {

    private static final Path FILE = Path.of("/proc/uptime");

    private Uptime() {}

    /**
     * Returns the milliseconds since boot, in steps of 10. Throws {@link UncheckedIOException} without
     * {@code /proc/uptime}.
     */
    public static long millis() {
        try {
            String text = Files.readString(FILE, StandardCharsets.US_ASCII);
            int point = text.indexOf('.');
            return Long.parseLong(text, 0, point, 10) * 1000 + Long.parseLong(text, point + 1, point + 3, 10) * 10;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read /proc/uptime", e);
        }
    }
}
