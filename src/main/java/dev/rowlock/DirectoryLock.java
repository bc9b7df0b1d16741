package dev.rowlock;

import dev.rowlock.cli.call.CommandFailed;
import dev.rowlock.cli.call.ExitCode;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Right to use a directory, for one process at a time; the system takes it back when the process ends. */
record DirectoryLock(FileChannel file, Path directory) implements AutoCloseable {

    /** Longest time for which another node looks at what this directory holds. */
    private static final Duration LOOKED_AT = Duration.ofSeconds(1);

    /**
     * Takes the lock. Waits a moment for a starting node of another name, which only looks at what this directory
     * holds.
     *
     * @throws CommandFailed another process has it, or it cannot be written
     */
    static DirectoryLock take(Path directory) throws IOException {
        try {
            Files.createDirectories(directory);
            // The output of commands may hold what is nobody else's business.
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
            long sinceNanos = System.nanoTime();
            do {
                Optional<DirectoryLock> lock = tryTake(directory);
                if (lock.isPresent()) {
                    return lock.get();
                }
                LockSupport.parkNanos(LOOKED_AT.toNanos() / 50);
            } while (System.nanoTime() - sinceNanos < LOOKED_AT.toNanos());
        } catch (IOException e) {
            throw new CommandFailed(
                    ExitCode.CONFIGURATION,
                    "data.dir: " + directory + " cannot be made or written; name a directory that can");
        }
        throw new CommandFailed(
                ExitCode.FAILED,
                "another process uses " + directory
                        + "; give this node another name (node.name) or another data directory (data.dir)");
    }

    /** Takes the lock if no other process has it. */
    static Optional<DirectoryLock> tryTake(Path directory) throws IOException {
        FileChannel file =
                FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            @Nullable FileLock lock = file.tryLock();
            if (lock != null) {
                return Optional.of(new DirectoryLock(file, directory));
            }
        } catch (OverlappingFileLockException e) {
            // another node of this very process has it; the same as a foreign one
        }
        file.close();
        return Optional.empty();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
