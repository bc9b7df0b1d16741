package dev.rowlock.exec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Runs a command of the operator's, not of a job: under the daemon's user, with a clean environment. It reads from a
 * file and writes nowhere, so it can fill no pipe that this process has to empty.
 */
public final class OperatorCommand {

    private final Path dir;

    /** @param dir where what it reads is kept meanwhile; made if it is not there */
    public OperatorCommand(Path dir) {
        this.dir = dir;
    }

    /**
     * Runs it to its end, with all that it started if that takes too long.
     *
     * @return its exit code; -1: it took too long, and was killed
     */
    public int run(String command, Map<String, String> environment, byte[] input, Duration timeout) throws IOException {
        Files.createDirectories(dir);
        Path file = Files.createTempFile(dir, "message-", ".json");
        try {
            Files.write(file, input);
            ProcessBuilder builder = new ProcessBuilder("bash", "-c", command);
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
            if (process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                return process.exitValue();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        return -1;
    }
}
