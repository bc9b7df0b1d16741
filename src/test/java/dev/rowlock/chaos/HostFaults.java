package dev.rowlock.chaos;

import dev.rowlock.chaos.Fault.Skipped;
import dev.rowlock.chaos.Plan.Planned;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What can be wrong with a host: the first node keeps its data on a small disk that can be full; all but the first live by a wall clock that
 * can be set to anything.
 */
final class HostFaults implements AutoCloseable {

    private static final Path LIBRARIES = Path.of("/usr/lib");
    private static final int BLOCK = 64 * 1024;
    private static final List<String> OFFSETS = List.of("+5h", "-3h", "+26h", "-90m", "+10m", "-40d", "+1y", "-20s");

    private final Path dir;
    private final @Nullable Path disk;
    private final @Nullable Path library;
    private final String noDisk;

    private HostFaults(Path dir, @Nullable Path disk, String noDisk, @Nullable Path library) {
        this.dir = dir;
        this.disk = disk;
        this.noDisk = noDisk;
        this.library = library;
    }

    static HostFaults in(Path dir) throws IOException {
        Path disk = Files.createDirectories(dir.resolve("small-disk"));
        String problem = "";
        try {
            Programs.run(Map.of(), "mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", disk.toString());
        } catch (IOException e) {
            problem = String.valueOf(e.getMessage());
        }
        return new HostFaults(
                dir, problem.isEmpty() ? disk : null, problem, faketime().orElse(null));
    }

    /** The library by which a program can be told a wrong time. */
    static Optional<Path> faketime() throws IOException {
        try (Stream<Path> libraries =
                Files.find(LIBRARIES, 4, (path, attributes) -> path.endsWith("faketime/libfaketimeMT.so.1"))) {
            return libraries.findFirst();
        }
    }

    /** What the node of this number must be started with so that its host can go wrong. */
    Map<String, String> environment(int node, String name) throws IOException {
        Map<String, String> environment = new TreeMap<>();
        if (node == 0 && disk != null) {
            environment.put("ROWLOCK_DATA_DIR", disk.resolve("data").toString());
        }
        if (node > 0 && library != null) {
            Path clock = clockOf(name);
            Files.writeString(clock, "+0\n");
            environment.put("LD_PRELOAD", library.toString());
            environment.put("FAKETIME_TIMESTAMP_FILE", clock.toString());
            environment.put("FAKETIME_DONT_FAKE_MONOTONIC", "1");
            // The "fix" makes every timed wait of a JVM return at once.
            environment.put("FAKETIME_FORCE_MONOTONIC_FIX", "0");
            environment.put("FAKETIME_CACHE_DURATION", "1");
        }
        return environment;
    }

    Fault of(Planned planned, List<ChaosNode> nodes) throws Skipped {
        return switch (planned.kind()) {
            case DISK_FULL -> full();
            case CLOCK -> wrong(nodes.get(Math.max(1, planned.node()) % nodes.size()), planned);
            default -> throw new IllegalArgumentException(planned.kind().toString());
        };
    }

    private Fault full() throws Skipped {
        if (disk == null) {
            throw new Skipped("no small disk can be mounted here: " + noDisk);
        }
        Path filler = disk.resolve("filler");
        return Fault.of("full disk of the first node", () -> fill(filler), () -> Files.deleteIfExists(filler));
    }

    private static void fill(Path file) {
        byte[] block = new byte[BLOCK];
        while (true) {
            try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
                out.write(block);
            } catch (IOException e) {
                return; // that is what full means
            }
        }
    }

    /** Half of them set the clock back in the end, the others leave it wrong until the next. */
    private Fault wrong(ChaosNode node, Planned planned) throws Skipped {
        if (library == null) {
            throw new Skipped("libfaketime is not installed");
        }
        Path clock = clockOf(node.name());
        String offset = OFFSETS.get(planned.salt() % OFFSETS.size());
        boolean stays = planned.salt() % 2 == 0;
        return Fault.of(
                "wall clock of node " + node.name() + " at " + offset,
                () -> set(clock, offset),
                () -> set(clock, stays ? offset : "+0"));
    }

    private static void set(Path clock, String offset) throws IOException {
        Path next = clock.resolveSibling(clock.getFileName() + ".next");
        Files.writeString(next, offset + "\n");
        Files.move(next, clock, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private Path clockOf(String node) {
        return dir.resolve("clock-" + node);
    }

    @Override
    public void close() throws IOException {
        if (disk != null) {
            Programs.run(Map.of(), "umount", "-l", disk.toString());
        }
    }
}
