package dev.rowlock.exec;

import dev.rowlock.exec.process.ControlGroup;
import dev.rowlock.exec.process.ControlGroups;
import dev.rowlock.schedule.Durations;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Resources of a launch that have to be released: the file of its standard input, until its shell has opened it, and
 * its control group.
 *
 * @param text null: there is none
 * @param group null: there is none
 * @param memory how its memory is limited, for people; null: it is not
 */
public record Provision(
        @Nullable Path text,
        @Nullable ControlGroup group,
        @Nullable String memory) {

    static final Provision NONE = new Provision(null, null, null);

    private static final Logger LOG = LoggerFactory.getLogger(Provision.class);
    private static final int KILLED_BY_SIGXCPU = 128 + 24;
    private static final String SUFFIX = ".stdin";

    /**
     * Creates them.
     *
     * @param directory for the file
     * @throws IOException with a message for people; then there is nothing to be taken back
     */
    static Provision of(LaunchSpec spec, Path directory, ControlGroups groups) throws IOException {
        Long bytes = spec.options().limits().memory();
        Optional<ControlGroup> group = bytes == null ? Optional.empty() : groups.make(spec.launchId(), bytes);
        String memory = null;
        if (bytes != null) {
            memory = group.isPresent()
                    ? "memory was limited by a control group"
                    : "memory was limited as address space of each process, not by a control group: "
                            + groups.problem();
        }
        Path text = null;
        if (spec.options().stdin() != null) {
            text = directory.resolve(spec.launchId() + SUFFIX);
            try {
                write(text, spec.options().stdin());
            } catch (IOException e) {
                new Provision(text, group.orElse(null), null).takeBack();
                throw new HostRefused("its standard input cannot be written to " + text + ": " + e.getMessage(), e);
            }
        }
        return new Provision(text, group.orElse(null), memory);
    }

    /** Writes a file that only its user can read; its shell gives it to the command's. */
    private static void write(Path file, String text) throws IOException {
        Files.deleteIfExists(file);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.write(file, text.getBytes(StandardCharsets.UTF_8), StandardOpenOption.WRITE);
    }

    /** Removes what launches of a dead daemon have left. */
    static void sweep(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.filter(f -> f.toString().endsWith(SUFFIX)).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** Returns the processes in its control group. */
    Set<Integer> members() {
        return group == null ? Set.of() : group.members();
    }

    /** Returns the limit that ended a command, for people; null if none did, as far as can be seen. */
    public @Nullable String exceeded(LaunchSpec spec, int exitCode) {
        Duration cpuTime = spec.options().limits().cpuTime();
        if (cpuTime != null && exitCode == KILLED_BY_SIGXCPU) {
            return "a process used more CPU time than its limit of " + Durations.format(cpuTime);
        }
        return group != null && group.ranOutOfMemory() ? "it used more memory than its limit allows" : null;
    }

    /** Releases the resources when nothing of the launch is left, or it was never started. May be repeated. */
    void takeBack() {
        if (text != null) {
            try {
                Files.deleteIfExists(text);
            } catch (IOException e) {
                LOG.warn("The file {} cannot be deleted: {}", text, e.toString());
            }
        }
        if (group != null) {
            group.remove();
        }
    }
}
