package dev.rowlock.chaos;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A file system of its own, served by a process that can be stopped: from then on whoever steps into it hangs, as on a
 * dead mount. Some jobs work there; all others must not notice.
 */
final class HungDirectory implements AutoCloseable {

    /** In the name of each job that works there. */
    static final String JOBS = "in-mounted-directory";

    private static final int HOW_MANY = 4;
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final Path mount;
    private final @Nullable Process server;
    private final String problem;

    private HungDirectory(Path mount, @Nullable Process server, String problem) {
        this.mount = mount;
        this.server = server;
        this.problem = problem;
    }

    static HungDirectory none() {
        return new HungDirectory(Path.of("/"), null, "not asked for");
    }

    static HungDirectory in(Path dir) throws IOException, InterruptedException {
        Path source = Files.createDirectories(dir.resolve("mounted"));
        Path mount = Files.createDirectories(dir.resolve("mount"));
        Files.createFile(source.resolve("here"));
        Process server;
        try {
            server = new ProcessBuilder("bindfs", "-f", source.toString(), mount.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(dir.resolve("bindfs.log").toFile())
                    .start();
        } catch (IOException e) {
            return new HungDirectory(mount, null, "bindfs is not installed");
        }
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!Files.exists(mount.resolve("here"))) {
            if (server.waitFor(20, TimeUnit.MILLISECONDS) || System.nanoTime() > deadline) {
                server.destroyForcibly();
                return new HungDirectory(
                        mount, null, "no file system can be mounted: " + Files.readString(dir.resolve("bindfs.log")));
            }
        }
        return new HungDirectory(mount, server, "");
    }

    /** Jobs that work there; none where there is no such directory. */
    List<Workload.Planned> jobs(Path marks) {
        List<Workload.Planned> jobs = new ArrayList<>();
        for (int i = 0; server != null && i < HOW_MANY; i++) {
            String name = JOBS + "-" + i;
            ObjectNode definition = new ObjectMapper()
                    .createObjectNode()
                    .put("namespace", Workload.NAMESPACE)
                    .put("name", name)
                    .put("schedule", i + "/2 * * * * *")
                    .put("command", MarkLog.around(":"))
                    .put("workdir", mount.toString())
                    .put("killGrace", "1s");
            definition.putObject("env").put("CHAOS", marks.toString());
            jobs.add(new Workload.Planned(name, Command.SECOND, definition));
        }
        return jobs;
    }

    Fault hang() throws Fault.Skipped {
        Process process = server;
        if (process == null) {
            throw new Fault.Skipped(problem);
        }
        return Fault.of(
                "hung working directory of " + HOW_MANY + " jobs",
                () -> signal(process, "STOP"),
                () -> signal(process, "CONT"));
    }

    private static void signal(Process process, String name) throws IOException {
        Programs.run(Map.of(), "kill", "-" + name, Long.toString(process.pid()));
    }

    @Override
    public void close() throws IOException {
        if (server != null) {
            server.destroyForcibly();
            Programs.run(Map.of(), "umount", "-l", mount.toString());
        }
    }
}
