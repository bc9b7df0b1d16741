package dev.rowlock.exec.output;

import dev.rowlock.task.CommandOutput;
import dev.rowlock.task.LaunchId;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Directory with one output file per launch. Thread-safe. */
public final class OutputDirectory {

    private static final Logger LOG = LoggerFactory.getLogger(OutputDirectory.class);
    private static final String SUFFIX = ".out";
    /** Suffix of a file to be masked: after the death of this process, nobody knows by what. */
    private static final String MASKED = ".secret.out";
    /** Free bytes below which the disk counts as full. */
    private static final long ROOM = 4096;

    private static final String FULL = "the disk of data.dir is full";

    private final Path directory;
    private final OutputLimits limits;
    private final Map<LaunchId, OutputFile> files = new ConcurrentHashMap<>();
    /** Reason why nothing can be kept; null: it can. */
    private volatile @Nullable String problem;

    public OutputDirectory(Path directory, OutputLimits limits) {
        this.directory = directory;
        this.limits = limits;
    }

    /** @param masked whether the command has secrets */
    public OutputFile of(LaunchId id, boolean masked) {
        return files.computeIfAbsent(id, launch -> file(launch, masked));
    }

    /** Creates a file. Without it, for instance because the disk is full, a command runs all the same. */
    public void make(OutputFile output) {
        check(output);
        try {
            output.create();
        } catch (IOException e) {
            note(noFile(e));
            output.lacksRoom();
        }
    }

    /** Reads an output, without keeping anything in memory for a launch that nobody asks for again. */
    public CommandOutput read(LaunchId id) {
        OutputFile known = files.get(id);
        return (known == null ? leftBehind(id) : known).read();
    }

    public void discard(LaunchId id) {
        OutputFile known = files.remove(id);
        (known == null ? leftBehind(id) : known).discard();
    }

    public Set<LaunchId> onDisk() {
        try (Stream<Path> found = Files.list(directory)) {
            return found.map(path -> path.getFileName().toString())
                    .filter(name -> name.endsWith(SUFFIX))
                    .map(name -> name.substring(0, name.length() - (name.endsWith(MASKED) ? MASKED : SUFFIX).length()))
                    .map(LaunchId::new)
                    .collect(Collectors.toSet());
        } catch (IOException e) {
            LOG.warn("The outputs in {} cannot be listed: {}", directory, e.toString());
            return Set.of();
        }
    }

    /** Keeps every file within its bound, and checks whether there is room for more. */
    public void sweepOnce() {
        files.values().forEach(OutputFile::bound);
        note(lacksBytes() ? FULL : problem == null ? null : probe());
        if (problem != null) {
            files.values().forEach(OutputFile::lacksRoom);
        }
    }

    /** Returns why nothing could be kept at the last check, for people. */
    public Optional<String> problem() {
        return Optional.ofNullable(problem);
    }

    private boolean lacksBytes() {
        return directory.toFile().getUsableSpace() < ROOM;
    }

    /** Checks for room, of which a disk has so many bytes, and so many files. */
    private @Nullable String probe() {
        Path file = directory.resolve("probe");
        try {
            Files.deleteIfExists(file);
            Files.createFile(file);
            Files.delete(file);
            return null;
        } catch (IOException e) {
            return noFile(e);
        }
    }

    private static String noFile(IOException e) {
        String why = e instanceof FileSystemException about ? about.getReason() : e.getMessage();
        return "no file can be made below data.dir ("
                + (why == null ? e.getClass().getSimpleName() : why) + ")";
    }

    /** Checks now, on behalf of a command that begins or ends. */
    public void check(OutputFile file) {
        if (problem != null || lacksBytes()) {
            file.lacksRoom();
        }
    }

    /** Notes the state, and logs it once on the way down and once on the way up. */
    private synchronized void note(@Nullable String now) {
        if (problem != null && now == null) {
            LOG.info("There is room for output in {} again", directory);
        } else if (problem == null && now != null) {
            LOG.warn(
                    "In {}, {}: what commands write is lost, and some may fail because of it. Nothing else stops",
                    directory,
                    now);
        }
        problem = now;
    }

    /** Returns the output of a previous session. */
    private OutputFile leftBehind(LaunchId id) {
        OutputFile masked = file(id, true);
        return Files.exists(masked.path) ? masked : file(id, false);
    }

    private OutputFile file(LaunchId id, boolean masked) {
        if (!id.text().matches("[A-Za-z0-9._-]{1,200}")) {
            throw new IllegalArgumentException(
                    "launch id \"" + id + "\" must be 1 to 200 letters, digits, dots, dashes or underscores");
        }
        return new OutputFile(directory.resolve(id + (masked ? MASKED : SUFFIX)), limits, masked);
    }
}
