package dev.rowlock.exec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Check whether this daemon can run commands as another user, and then still find and kill them. */
public final class RunAs {

    /** Capabilities, by their numbers in {@code capabilities(7)} and the kernel's headers. */
    private static final Map<Integer, String> NEEDED = new LinkedHashMap<>();

    static {
        NEEDED.put(0, "CAP_CHOWN");
        NEEDED.put(5, "CAP_KILL");
        NEEDED.put(6, "CAP_SETGID");
        NEEDED.put(7, "CAP_SETUID");
        NEEDED.put(19, "CAP_SYS_PTRACE"); // to read the marks in the environment of others
    }

    private static final Optional<String> PROBLEM = ofThisProcess();

    private RunAs() {}

    /** Returns why it cannot, for people; empty if it can. */
    public static Optional<String> problem() {
        return PROBLEM;
    }

    /** Returns why it cannot run a command with these options; empty if it can. */
    static Optional<String> problem(RunOptions options) {
        return options.user() == null
                ? Optional.empty()
                : PROBLEM.map(why -> "this node cannot run it as user " + options.user() + ": " + why);
    }

    private static Optional<String> ofThisProcess() {
        try {
            Optional<String> problem = problem(Files.readAllLines(Path.of("/proc/self/status")));
            if (problem.isEmpty()) {
                problem = problem(Path.of(Shell.program("setpriv")));
                Shell.program("getent");
                Shell.program("chown");
            }
            return problem;
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /** Returns the problem with this {@code setpriv}: BusyBox has a program of that name, too. */
    static Optional<String> problem(Path setpriv) throws IOException {
        return setpriv.toRealPath().endsWith("busybox")
                ? Optional.of("setpriv of BusyBox cannot change the user; install that of util-linux")
                : Optional.empty();
    }

    /** @param status of the daemon's process, as {@code /proc} shows it */
    static Optional<String> problem(List<String> status) {
        String uids = field(status, "Uid:");
        if (!uids.matches("\\d+\\s+0\\s.*")) {
            return Optional.of("the daemon does not run as root");
        }
        long effective = Long.parseUnsignedLong(field(status, "CapEff:"), 16);
        List<String> lacking = new ArrayList<>();
        NEEDED.forEach((number, name) -> {
            if ((effective >> number & 1) == 0) {
                lacking.add(name);
            }
        });
        return lacking.isEmpty()
                ? Optional.empty()
                : Optional.of("the daemon runs as root without " + String.join(", ", lacking));
    }

    private static String field(List<String> status, String name) {
        return status.stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()).strip())
                .findFirst()
                .orElse("0");
    }
}
