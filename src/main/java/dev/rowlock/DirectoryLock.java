package dev.rowlock;

import dev.rowlock.cli.CommandFailed;
import dev.rowlock.cli.ExitCode;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/** The right to use a directory, for one process at a time; the system takes it back when the process ends. */
record DirectoryLock(FileChannel file, Path directory) implements AutoCloseable {

    /** @throws CommandFailed another process has it, or it cannot be written */
    static DirectoryLock take(Path directory) throws IOException {
        FileChannel file;
        try {
            Files.createDirectories(directory);
            // The output of commands may hold what is nobody else's business.
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
            file = FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new CommandFailed(
                    ExitCode.CONFIGURATION,
                    "data.dir: " + directory + " cannot be made or written; name a directory that can");
        }
        try {
            @Nullable FileLock lock = file.tryLock();
            if (lock != null) {
                return new DirectoryLock(file, directory);
            }
        } catch (OverlappingFileLockException e) {
            // another node of this very process has it; the same as a foreign one
        }
        file.close();
        throw new CommandFailed(
                ExitCode.FAILED,
                "another process uses " + directory
                        + "; give this node another name (node.name) or another data directory (data.dir)");
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
