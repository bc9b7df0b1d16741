package dev.rowlock.exec.process;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reader of {@code /proc}. Holds a buffer, so each thread needs its own. */
public class ProcFs {

    private byte[] buffer = new byte[16 << 10];

    /** Returns all visible processes that are not dead; about 10 µs each. */
    public List<Proc> processes() {
        String[] names = new File("/proc").list();
        if (names == null) {
            throw new IllegalStateException("cannot list /proc; Rowlock needs it to find what commands started");
        }
        List<Proc> found = new ArrayList<>(names.length);
        for (String name : names) {
            if (Character.isDigit(name.charAt(0))) {
                Proc proc = process(Integer.parseInt(name));
                if (proc != null && !proc.isDead()) {
                    found.add(proc);
                }
            }
        }
        return found;
    }

    /** Returns a process; null if there is none. */
    public @Nullable Proc process(int pid) {
        int length = read("/proc/" + pid + "/stat");
        return length <= 0 ? null : parse(pid, new String(buffer, 0, length, StandardCharsets.UTF_8));
    }

    /** Returns a variable of the environment that a process was started with; null if unset, gone or another user's. */
    @Nullable
    String environment(int pid, String variable) {
        int length = read("/proc/" + pid + "/environ");
        byte[] wanted = (variable + "=").getBytes(StandardCharsets.US_ASCII);
        int from = 0;
        while (from < length) {
            int to = from;
            while (to < length && buffer[to] != 0) {
                to++;
            }
            if (to - from >= wanted.length
                    && Arrays.equals(buffer, from, from + wanted.length, wanted, 0, wanted.length)) {
                return new String(buffer, from + wanted.length, to - from - wanted.length, StandardCharsets.UTF_8);
            }
            from = to + 1;
        }
        return null;
    }

    /**
     * Returns the standard input of a process; empty if it has closed it, is gone, or is another user's. Waits for no
     * disk.
     */
    public Optional<Path> standardInput(int pid) {
        try {
            return Optional.of(Files.readSymbolicLink(Path.of("/proc", Integer.toString(pid), "fd", "0")));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Parses the fields after the last closing parenthesis, as the name may hold blanks and parentheses. */
    private static @Nullable Proc parse(int pid, String stat) {
        int open = stat.indexOf('(');
        int close = stat.lastIndexOf(')');
        if (open < 0 || close < 0) {
            return null;
        }
        String[] fields = stat.substring(close + 2).split(" ", 21);
        return new Proc(
                pid,
                stat.substring(open + 1, close),
                fields[0].charAt(0),
                Integer.parseInt(fields[1]),
                Integer.parseInt(fields[3]),
                Integer.parseInt(fields[17]),
                Long.parseLong(fields[19]));
    }

    /** Reads a file into the buffer; returns -1 if the process is gone or another user's. */
    private int read(String file) {
        try (FileInputStream in = new FileInputStream(file)) {
            int length = 0;
            while (true) {
                int read = in.read(buffer, length, buffer.length - length);
                if (read <= 0) {
                    return length;
                }
                length += read;
                if (length == buffer.length) {
                    buffer = Arrays.copyOf(buffer, buffer.length * 2);
                }
            }
        } catch (IOException e) {
            return -1;
        }
    }
}
