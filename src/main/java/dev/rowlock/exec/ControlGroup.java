package dev.rowlock.exec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A control group of the second version that holds one command. */
record ControlGroup(Path directory) {

    private static final Logger LOG = LoggerFactory.getLogger(ControlGroup.class);

    /** The ids of the processes in it. */
    Set<Integer> members() {
        try {
            return Files.readAllLines(directory.resolve("cgroup.procs")).stream()
                    .map(line -> Integer.valueOf(line.strip()))
                    .collect(Collectors.toSet());
        } catch (IOException e) {
            LOG.debug("No processes are seen in {}: {}", directory, e.toString());
            return Set.of();
        }
    }

    /** Whether the kernel has killed any of them for want of memory. */
    boolean ranOutOfMemory() {
        try {
            return Files.readAllLines(directory.resolve("memory.events")).stream()
                    .anyMatch(line -> line.matches("oom_kill [1-9][0-9]*"));
        } catch (IOException e) {
            LOG.debug("No events are seen in {}: {}", directory, e.toString());
            return false;
        }
    }

    /** What is not empty stays, and is removed before a later one is made. */
    void remove() {
        try {
            Files.deleteIfExists(directory);
        } catch (NoSuchFileException e) {
            LOG.debug("{} is gone", directory);
        } catch (IOException e) {
            LOG.warn("The control group {} cannot be removed yet: {}", directory, e.toString());
        }
    }
}
