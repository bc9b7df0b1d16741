package dev.rowlock.exec.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Control group (version 2) that holds one command. */
public record ControlGroup(Path directory) {

    private static final Logger LOG = LoggerFactory.getLogger(ControlGroup.class);

    /** Returns the ids of its processes. */
    public Set<Integer> members() {
        try {
            return Files.readAllLines(directory.resolve("cgroup.procs")).stream()
                    .map(line -> Integer.valueOf(line.strip()))
                    .collect(Collectors.toSet());
        } catch (IOException e) {
            LOG.debug("No processes are seen in {}: {}", directory, e.toString());
            return Set.of();
        }
    }

    /** Returns whether the kernel has killed any of them for lack of memory. */
    public boolean ranOutOfMemory() {
        try {
            return Files.readAllLines(directory.resolve("memory.events")).stream()
                    .anyMatch(line -> line.matches("oom_kill [1-9][0-9]*"));
        } catch (IOException e) {
            LOG.debug("No events are seen in {}: {}", directory, e.toString());
            return false;
        }
    }

    /** Removes the group; one that is not empty stays, and is removed before a later one is created. */
    public void remove() {
        try {
            Files.deleteIfExists(directory);
        } catch (NoSuchFileException e) {
            LOG.debug("{} is gone", directory);
        } catch (IOException e) {
            LOG.warn("The control group {} cannot be removed yet: {}", directory, e.toString());
        }
    }
}
