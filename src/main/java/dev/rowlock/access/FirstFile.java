package dev.rowlock.access;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Secret file that several processes may create at once: the first wins. Only the directory's owner can read it. */
public final class FirstFile {

    private static final Logger log = LoggerFactory.getLogger(FirstFile.class);
    private static final Set<PosixFilePermission> OF_THE_OWNER = PosixFilePermissions.fromString("rw-------");

    private FirstFile() {}

    /**
     * Creates a file with this line atomically, so that a crash never leaves half of it.
     *
     * @return false: another process has made it, and it stays as it is
     */
    public static boolean make(Path file, String line) throws IOException {
        Path whole = Files.createTempFile(
                file.toAbsolutePath().getParent(),
                file.getFileName() + "-",
                ".new",
                PosixFilePermissions.asFileAttribute(OF_THE_OWNER));
        try {
            write(whole, line);
            link(file, whole);
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        } finally {
            Files.deleteIfExists(whole);
        }
    }

    /** Replaces a file with one that holds this line. Nobody else can read it at any moment. */
    static void replace(Path file, String line) throws IOException {
        Files.deleteIfExists(file);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(OF_THE_OWNER));
        write(file, line);
    }

    /** Links the file into place: unlike a move, that never overwrites. Some file systems have no links. */
    private static void link(Path file, Path whole) throws IOException {
        try {
            Files.createLink(file, whole);
        } catch (FileAlreadyExistsException e) {
            throw e;
        } catch (FileSystemException | UnsupportedOperationException e) {
            log.debug("{} has no links: {}", file, e.toString());
            Files.move(whole, file);
        }
    }

    private static void write(Path file, String line) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.US_ASCII));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        giveToOwnerOfDirectory(file);
    }

    /** Gives the file to the owner of its directory: root may run this for a node whose user has to read it. */
    private static void giveToOwnerOfDirectory(Path made) throws IOException {
        UserPrincipal owner = Files.getOwner(made.toAbsolutePath().getParent());
        if (!Files.getOwner(made).equals(owner)) {
            Files.setOwner(made, owner);
        }
    }
}
