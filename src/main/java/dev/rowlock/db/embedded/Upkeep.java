package dev.rowlock.db.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Administration of an embedded database: its state, its end, its dumps. */
public final class Upkeep {

    private static final Pattern VERSION = Pattern.compile("/mariadb-([0-9.]+)/");
    private static final Path LOCKS = Path.of("/proc/locks");
    private static final File NOTHING = new File("/dev/null");
    private static final long MEGABYTE = 1_000_000;

    /** Last line of mariadb-dump and mysqldump. */
    private static final String END = "-- Dump completed";

    /** Bytes at the end of a dump, as a time follows, and whatever somebody added. */
    private static final int BYTES_OF_END = 256;

    private final Home home;

    private Upkeep(Home home) {
        this.home = home;
    }

    /**
     * Returns the upkeep of this directory's database, which must {@link EmbeddedDatabase#exists exist}.
     *
     * @throws EmbeddedDatabaseProblem it belongs to another user
     */
    public static Upkeep of(Path dir) throws IOException {
        Home home = Home.at(dir);
        home.requireOwner();
        return new Upkeep(home);
    }

    /** Returns the state for people, by topic. Starts nothing, and waits for nobody. */
    public Map<String, String> status() throws IOException {
        Map<String, String> status = new LinkedHashMap<>();
        status.put("directory", home.dir().toString());
        status.put(
                "server",
                ServerProcess.running(home)
                        .map(server -> "runs, process " + server.handle().pid() + ", port " + server.port()
                                + versionOf(server)
                                        .map(version -> ", MariaDB " + version)
                                        .orElse(""))
                        .orElse("does not run"));
        status.put("used by", isUsed() ? users() : "nobody");
        status.put("data", "MariaDB " + DataVersion.of(home).version() + ", " + megabytes(home.data()) + " MB");
        status.put("this version has", "MariaDB " + Binaries.RELEASE);
        List<Path> others = Binaries.others(home);
        if (!others.isEmpty()) {
            status.put(
                    "other programs",
                    others.stream().map(Path::toString).collect(Collectors.joining(", "))
                            + " (delete them if no other version of Rowlock uses them)");
        }
        return status;
    }

    /**
     * Stops a server that was left running, and returns a message.
     *
     * @throws EmbeddedDatabaseProblem somebody uses it, or it does not end
     */
    public String stop() throws IOException {
        try (FileChannel start = home.startLock();
                FileLock alone = start.lock();
                FileChannel users = home.usersLock();
                FileLock last = users.tryLock()) {
            if (last == null || !alone.isValid()) {
                throw new EmbeddedDatabaseProblem("The embedded database of " + home.dir() + " is used by " + users()
                        + ": stop the node, which stops it, too.");
            }
            Optional<ServerProcess> server = ServerProcess.running(home);
            if (server.isEmpty()) {
                return "The embedded database of " + home.dir() + " does not run";
            }
            EmbeddedDatabase.terminate(server.get(), home);
            return "The embedded database of " + home.dir() + ", process "
                    + server.get().handle().pid() + ", is stopped";
        }
    }

    /**
     * Writes a consistent dump of the database, as statements that any account can load into an empty database of
     * MariaDB. Views are left out, as they name an account: a node creates them when it starts.
     *
     * @throws EmbeddedDatabaseProblem it could not be read to the end
     */
    public static void dump(EmbeddedDatabase database, OutputStream out) throws IOException {
        List<String> line = new ArrayList<>(List.of(
                database.binaries().dump().toString(),
                "--defaults-file=" + database.clientSettings(),
                "--single-transaction",
                "--default-character-set=utf8mb4",
                "--max-allowed-packet=64M"));
        database.names("VIEW").forEach(view -> line.add("--ignore-table=" + EmbeddedDatabase.DATABASE + "." + view));
        line.add(EmbeddedDatabase.DATABASE);
        run(line, NOTHING, out, "dumped");
    }

    /**
     * Loads such a dump.
     *
     * @throws EmbeddedDatabaseProblem there is something in the database already, the dump was cut off, or a statement
     *     is refused
     */
    public static void load(EmbeddedDatabase database, Path dump) throws IOException {
        requireWhole(dump);
        if (!database.names("BASE TABLE").isEmpty()) {
            throw new EmbeddedDatabaseProblem("The embedded database under "
                    + database.clientSettings().getParent() + " is not empty: stop its nodes, move that directory away,"
                    + " and try again.");
        }
        List<String> line = List.of(
                database.binaries().client().toString(),
                "--defaults-file=" + database.clientSettings(),
                "--default-character-set=utf8mb4",
                "--max-allowed-packet=64M",
                "--batch",
                EmbeddedDatabase.DATABASE);
        run(line, dump.toFile(), OutputStream.nullOutputStream(), "loaded");
    }

    /** Refuses half a dump: nodes would create the missing tables, empty, and work on that. */
    private static void requireWhole(Path dump) throws IOException {
        try (SeekableByteChannel file = Files.newByteChannel(dump)) {
            file.position(Math.max(0, file.size() - BYTES_OF_END));
            String end = new String(Channels.newInputStream(file).readAllBytes(), UTF_8);
            if (!end.contains(END)) {
                throw new EmbeddedDatabaseProblem(dump + " does not end with \"" + END + "\", as whole dumps do:"
                        + " nothing was loaded; take a whole one, made with comments.");
            }
        }
    }

    private static void run(List<String> line, File source, OutputStream out, String done) throws IOException {
        Path said = Files.createTempFile("rowlock-", ".txt");
        try {
            Process process = new ProcessBuilder(line)
                    .redirectInput(source)
                    .redirectError(said.toFile())
                    .start();
            try (InputStream in = process.getInputStream()) {
                in.transferTo(out);
            }
            int code = process.waitFor();
            if (code != 0) {
                throw new EmbeddedDatabaseProblem("The embedded database could not be " + done + ", exit code " + code
                        + ": " + withoutStatement(Files.readString(said, UTF_8)).strip());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EmbeddedDatabaseProblem("Interrupted before the embedded database was " + done + ".", e);
        } finally {
            Files.deleteIfExists(said);
        }
    }

    /** Removes the statement that the client repeats before its error: megabytes at times, of commands and output. */
    private static String withoutStatement(String said) {
        int error = said.lastIndexOf("\nERROR ");
        return error < 0 ? said : said.substring(error);
    }

    private boolean isUsed() throws IOException {
        try (FileChannel users = home.usersLock();
                FileLock alone = users.tryLock()) {
            return alone == null;
        }
    }

    /** Returns the processes that hold the lock, as the kernel lists them. */
    private String users() throws IOException {
        Object inode = Files.getAttribute(home.users(), "unix:ino");
        List<String> pids = new ArrayList<>();
        for (String line : Files.readAllLines(LOCKS)) {
            String[] words = line.split("\\s+", -1);
            if (words.length > 5 && words[5].endsWith(":" + inode) && !words[1].equals("->")) {
                pids.add(words[4]);
            }
        }
        return pids.isEmpty() ? "another process" : "process " + String.join(", ", pids);
    }

    private static Optional<String> versionOf(ServerProcess server) {
        try {
            Path program = Files.readSymbolicLink(
                    Path.of("/proc", Long.toString(server.handle().pid()), "exe"));
            Matcher version = VERSION.matcher(program.toString());
            return version.find() ? Optional.of(version.group(1)) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty(); // ended meanwhile
        }
    }

    private static long megabytes(Path root) throws IOException {
        long bytes = 0;
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                bytes += size(file);
            }
        }
        return bytes / MEGABYTE;
    }

    /** Returns the size of a file, which a working server may delete meanwhile. */
    private static long size(Path file) throws IOException {
        try {
            return Files.isRegularFile(file) ? Files.size(file) : 0;
        } catch (NoSuchFileException e) {
            return 0;
        }
    }
}
