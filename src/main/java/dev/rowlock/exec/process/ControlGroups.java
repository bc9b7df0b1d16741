package dev.rowlock.exec.process;

import dev.rowlock.task.LaunchId;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Control groups that limit the memory of commands, inside the one that the daemon was started in, if that is writable
 * and has the memory controller: as a service of systemd with {@code Delegate=yes}, or in a container with a writable
 * {@code /sys/fs/cgroup}. As the kernel allows no limits beside processes, what is in the daemon's own group moves into
 * a group below it, if that is nothing but the daemon and what it has started. Thread-safe.
 */
public final class ControlGroups {

    private static final Logger LOG = LoggerFactory.getLogger(ControlGroups.class);
    private static final String OWN = "rowlock";
    private static final String PREFIX = "rowlock-";
    private static final String CONTROL = "cgroup.subtree_control";

    private final CgroupHost host;
    private @Nullable Path parent;
    private @Nullable String problem;

    /** Kernel, and where it has put the daemon. */
    interface CgroupHost {

        /** Returns the daemon's own group. Throws {@link IOException} with a message for people if there is none. */
        Path own() throws IOException;

        /** Returns whether a process is the daemon, was started by it, or is the first of all. */
        boolean isOurs(int pid);

        default void make(Path group) throws IOException {
            Files.createDirectory(group);
        }
    }

    ControlGroups(CgroupHost host) {
        this.host = host;
    }

    public static ControlGroups ofThisProcess() {
        return new ControlGroups(new CgroupHost() {
            @Override
            public Path own() throws IOException {
                return ControlGroups.own(
                        Files.readAllLines(Path.of("/proc/self/mountinfo")),
                        Files.readAllLines(Path.of("/proc/self/cgroup")));
            }

            @Override
            public boolean isOurs(int pid) {
                Set<Integer> seen = new HashSet<>();
                ProcFs procFs = new ProcFs();
                int self = Math.toIntExact(ProcessHandle.current().pid());
                for (int at = pid; at > 1 && seen.add(at); ) {
                    if (at == self) {
                        return true;
                    }
                    Proc proc = procFs.process(at);
                    at = proc == null ? 0 : proc.parent();
                }
                return pid == 1;
            }
        });
    }

    /** Returns the group of this process in the mounted tree of version 2. */
    static Path own(List<String> mounts, List<String> groups) throws IOException {
        String group = groups.stream()
                .filter(line -> line.startsWith("0::/"))
                .map(line -> line.substring("0::".length()))
                .findFirst()
                .orElseThrow(() -> new IOException("the kernel has no control groups of version 2"));
        for (String mount : mounts) {
            List<String> fields = Arrays.asList(mount.split(" "));
            int dash = fields.indexOf("-");
            if (dash >= 6 && fields.get(dash + 1).equals("cgroup2")) {
                Path root = Path.of(fields.get(3));
                Path at = Path.of(group);
                return Path.of(fields.get(4)).resolve((at.startsWith(root) ? root.relativize(at) : Path.of("")));
            }
        }
        throw new IOException("control groups of version 2 are not mounted");
    }

    /**
     * Creates a group for one command, with this limit; returns empty if that fails, and {@link #problem()} says why.
     */
    public synchronized Optional<ControlGroup> make(LaunchId id, long bytes) {
        try {
            if (parent == null) {
                parent = prepare(host.own());
                sweep(parent);
            }
            Path group = parent.resolve(PREFIX + id.text());
            host.make(group);
            try {
                write(group.resolve("memory.max"), Long.toString(bytes));
                writeIfThere(group.resolve("memory.swap.max"), "0");
                writeIfThere(group.resolve("memory.oom.group"), "1");
                problem = null;
                return Optional.of(new ControlGroup(group));
            } catch (IOException e) {
                Files.deleteIfExists(group);
                throw e;
            }
        } catch (IOException e) {
            String why = e.getClass() == IOException.class ? String.valueOf(e.getMessage()) : e.toString();
            if (!why.equals(problem)) {
                LOG.info("The memory of commands is limited as address space, not by control groups: {}", why);
            }
            problem = why;
            return Optional.empty();
        }
    }

    /** Returns why the last one could not be created, for people. */
    public synchronized String problem() {
        return problem == null ? "" : problem;
    }

    /** Lets the groups below one limit memory, and returns it: the daemon's, or the one that an earlier daemon left. */
    private Path prepare(Path own) throws IOException {
        Path above = own.getParent();
        if (above != null && own.endsWith(OWN) && limitsMemory(above)) {
            return above;
        }
        if (!words(own.resolve("cgroup.controllers")).contains("memory")) {
            throw new IOException("the memory controller is not available in " + own);
        }
        if (!limitsMemory(own)) {
            Path below = own.resolve(OWN);
            List<String> pids = words(own.resolve("cgroup.procs"));
            for (String pid : pids) {
                if (!host.isOurs(Integer.parseInt(pid))) {
                    throw new IOException("process " + pid + ", which is not the daemon's, is in " + own + ", too");
                }
            }
            if (!Files.isDirectory(below)) {
                host.make(below);
            }
            move(pids, below);
            try {
                write(own.resolve(CONTROL), "+memory");
            } catch (IOException e) {
                move(pids, own);
                throw e;
            }
        }
        return own;
    }

    private static boolean limitsMemory(Path group) throws IOException {
        Path control = group.resolve(CONTROL);
        return Files.exists(control) && words(control).contains("memory");
    }

    private static void move(List<String> pids, Path to) throws IOException {
        for (String pid : pids) {
            write(to.resolve("cgroup.procs"), pid);
        }
    }

    /** Removes what an earlier daemon has left; the kernel keeps groups that are not empty. */
    private static void sweep(Path parent) throws IOException {
        try (DirectoryStream<Path> groups = Files.newDirectoryStream(parent, PREFIX + "*")) {
            for (Path group : groups) {
                if (words(group.resolve("cgroup.procs")).isEmpty()) {
                    new ControlGroup(group).remove();
                }
            }
        }
    }

    private static List<String> words(Path file) throws IOException {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.flatMap(line -> Arrays.stream(line.strip().split("\\s+")))
                    .filter(word -> !word.isEmpty())
                    .toList();
        }
    }

    private static void writeIfThere(Path file, String text) throws IOException {
        if (Files.exists(file)) {
            write(file, text);
        }
    }

    /** Writes to an existing file: if the kernel has none, it is not that controller's group. */
    private static void write(Path file, String text) throws IOException {
        Files.writeString(file, text, StandardOpenOption.WRITE);
    }
}
