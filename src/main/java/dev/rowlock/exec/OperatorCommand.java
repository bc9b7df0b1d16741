package dev.rowlock.exec;

import dev.rowlock.exec.process.Proc;
import dev.rowlock.exec.process.ProcFs;
import dev.rowlock.exec.process.ProcessSignals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Runner of the operator's own commands: under the daemon's user, with a clean environment. A command reads from a file
 * and writes nowhere, so it can fill no pipe that this process has to empty.
 */
public final class OperatorCommand {

    private final Path dir;

    /** @param dir where what it reads is kept meanwhile; made if it is not there */
    public OperatorCommand(Path dir) {
        this.dir = dir;
    }

    /**
     * Runs it to its end, or for so long. What it has left in the background is killed then.
     *
     * @return its exit code; -1: it took too long, and was killed
     */
    public int run(String command, Map<String, String> environment, byte[] input, Duration timeout) throws IOException {
        Files.createDirectories(dir);
        Path file = Files.createTempFile(dir, "message-", ".json");
        try {
            Files.write(file, input);
            ProcessBuilder builder = new ProcessBuilder(Shell.setsid(), Shell.bash(), "-c", command);
            builder.environment().clear();
            builder.environment().put("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
            builder.environment().put("LANG", "C.UTF-8");
            builder.environment().put("HOME", System.getProperty("user.home", "/"));
            builder.environment().putAll(environment);
            builder.redirectInput(file.toFile());
            builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
            builder.redirectError(ProcessBuilder.Redirect.DISCARD);
            return await(builder.start(), timeout);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private static int await(Process process, Duration timeout) {
        try {
            return process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS) ? process.exitValue() : -1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return -1;
        } finally {
            endSession(process.pid());
        }
    }

    /** Kills the whole session, and what it has forked meanwhile. */
    private static void endSession(long session) {
        ProcFs procFs = new ProcFs();
        ProcessSignals signals = new ProcessSignals(procFs);
        Set<Proc.Id> killed = new HashSet<>();
        while (procFs.processes().stream()
                        .filter(proc -> proc.session() == session && killed.add(proc.id()))
                        .filter(signals::kill)
                        .count()
                > 0) {
            // whoever was killed can fork no more
        }
    }
}
