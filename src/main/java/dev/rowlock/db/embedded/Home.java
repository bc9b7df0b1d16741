package dev.rowlock.db.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;

/** Directory of one embedded database: its data, its log, its password, its port. */
record Home(Path dir) {

    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> OWNER_ONLY_DIR = PosixFilePermissions.fromString("rwx------");
    private static final String USERS = "users.lock";
    private static final int PASSWORD_BYTES = 24;
    private static final Path SELF = Path.of("/proc/self");

    static Home at(Path dir) throws IOException {
        Path absolute = dir.toAbsolutePath().normalize();
        Files.createDirectories(absolute);
        // Links resolved, so that every spelling of the directory finds the server that runs in it.
        Path real = absolute.toRealPath();
        Files.setPosixFilePermissions(real, OWNER_ONLY_DIR);
        return new Home(real);
    }

    /** @throws EmbeddedDatabaseProblem it is somebody else's, who could not use what this user would make in it */
    void requireOwner() throws IOException {
        UserPrincipal owner = Files.getOwner(dir);
        if (Files.isDirectory(data())
                && !Files.getAttribute(dir, "unix:uid").equals(Files.getAttribute(SELF, "unix:uid"))) {
            throw new EmbeddedDatabaseProblem("The embedded database in " + dir + " belongs to " + owner.getName()
                    + ": run this as that user, such as by sudo -u " + owner.getName() + ".");
        }
    }

    /**
     * Returns the directory of the programs, shared by all servers of a user.
     *
     * @param userHome as Java knows it: no path if the user has no entry in /etc/passwd
     */
    Path cache(String userHome) {
        Path below = userHome.startsWith("/") ? Path.of(userHome, ".cache") : dir.resolve("cache");
        return below.resolve("rowlock");
    }

    Path data() {
        return dir.resolve("data");
    }

    Path log() {
        return dir.resolve("mariadbd.log");
    }

    /** Returns the file with the version of MariaDB that wrote the data last. */
    Path versionNote() {
        return dir.resolve("version");
    }

    /**
     * Returns the directory of the server's temporary tables: a starting server deletes whatever looks like one, even
     * another server's.
     */
    Path temporary() throws IOException {
        return Files.createDirectories(dir.resolve("tmp"));
    }

    /** Returns the settings of the command line client, with the password: readable by the owner alone. */
    Path clientSettings() {
        return dir.resolve("client.cnf");
    }

    Path clientProgram() {
        return dir.resolve("client");
    }

    /** Returns the lock held during a start: two starts at once would both find no server. */
    FileChannel startLock() throws IOException {
        return lockFile("start.lock");
    }

    /** Returns the lock that every process shares while it uses the server. */
    FileChannel usersLock() throws IOException {
        return lockFile(USERS);
    }

    Path users() {
        return dir.resolve(USERS);
    }

    private FileChannel lockFile(String name) throws IOException {
        return FileChannel.open(
                dir.resolve(name), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    /** Returns the account's password, generated at the first call. */
    String password() throws IOException {
        Path file = dir.resolve("password");
        if (!Files.exists(file)) {
            byte[] bytes = new byte[PASSWORD_BYTES];
            new SecureRandom().nextBytes(bytes);
            writeForOwner(file, HexFormat.of().formatHex(bytes) + "\n");
        }
        return Files.readString(file).strip();
    }

    /** Returns the port of the last start if it is still free, otherwise a free one, which is remembered. */
    int freePort() throws IOException {
        int last = lastPort();
        int port = last > 0 && isFree(last) ? last : anyFreePort();
        writeForOwner(dir.resolve("port"), port + "\n");
        return port;
    }

    void forgetPort() throws IOException {
        Files.deleteIfExists(dir.resolve("port"));
    }

    private int lastPort() throws IOException {
        Path file = dir.resolve("port");
        String text = Files.exists(file) ? Files.readString(file).strip() : "";
        return text.matches("[1-9][0-9]{0,4}") ? Integer.parseInt(text) : 0;
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false; // taken is an answer, not an error
        }
    }

    private static int anyFreePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Replaces a file atomically; nobody but the owner can ever read it. */
    void writeForOwner(Path file, String text) throws IOException {
        Path next = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(next);
        Files.createFile(next, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        Files.writeString(next, text, UTF_8);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
