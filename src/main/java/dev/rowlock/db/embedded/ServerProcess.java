package dev.rowlock.db.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Running mariadbd, whoever started it. */
record ServerProcess(ProcessHandle handle, int port) {

    private static final long BOOTSTRAP_SECONDS = 120;
    private static final int LOG_TAIL_BYTES = 1500;
    private static final String PORT = "--port="; // a bootstrap has none
    private static final String PROGRAM = "mariadbd";
    private static final Path SELF = Path.of("/proc/self");

    /**
     * Returns the server running in this home, found by its command line, as a pid file can be stale. Anybody can start
     * something with such a command line, so it must be a server of this process's own user.
     */
    static Optional<ServerProcess> running(Home home) {
        String data = "--datadir=" + home.data();
        return ProcessHandle.allProcesses()
                .flatMap(handle -> {
                    List<String> line = commandLine(handle.pid());
                    return line.stream()
                            .filter(word ->
                                    word.startsWith(PORT) && line.contains(data) && isServerOfOurs(handle.pid()))
                            .map(word -> new ServerProcess(handle, Integer.parseInt(word.substring(PORT.length()))));
                })
                .findFirst();
    }

    /**
     * Returns whether a process is a server of ours, by its user and its program, which an upgrade may have replaced or
     * deleted since.
     */
    private static boolean isServerOfOurs(long pid) {
        Path process = Path.of("/proc", Long.toString(pid));
        try {
            Path program = Files.readSymbolicLink(process.resolve("exe"));
            return program.getFileName().toString().replace(" (deleted)", "").equals(PROGRAM)
                    && Files.getAttribute(process, "unix:uid").equals(Files.getAttribute(SELF, "unix:uid"));
        } catch (IOException e) {
            return false; // ended meanwhile, or somebody else's
        }
    }

    private static List<String> commandLine(long pid) {
        try {
            // Other programs may have words that are no text.
            byte[] line = Files.readAllBytes(Path.of("/proc", Long.toString(pid), "cmdline"));
            return Arrays.asList(new String(line, UTF_8).split("\0"));
        } catch (IOException e) {
            return List.of(); // ended meanwhile, or somebody else's
        }
    }

    /** Starts the server in a process session of its own, so that Ctrl-C does not stop it before the node. */
    static ServerProcess start(Home home, Binaries binaries, int port, List<String> extra) throws IOException {
        List<String> line = new ArrayList<>(List.of("setsid"));
        line.addAll(commandLine(home, home.data(), binaries));
        line.addAll(List.of(
                PORT + port,
                "--bind-address=127.0.0.1",
                // Within the data directory, where the server works: a path of any depth fits the 107 bytes of a
                // socket's name.
                "--socket=mariadbd.sock",
                "--pid-file=mariadbd.pid",
                "--default-time-zone=+00:00",
                "--transaction-isolation=READ-COMMITTED",
                "--max-connections=500",
                "--max-allowed-packet=64M",
                "--local-infile=0",
                "--skip-name-resolve",
                // It listens on loopback only; making a key for TLS at every start costs seconds.
                "--skip-ssl"));
        line.addAll(extra);
        Process process = builder(line, home).start();
        process.getOutputStream().close();
        return new ServerProcess(process.toHandle(), port);
    }

    /** Creates the server's own tables in {@code data} and runs {@code statements}; returns when that is done. */
    static void bootstrap(Home home, Path data, Binaries binaries, String statements) throws IOException {
        List<String> line = new ArrayList<>(commandLine(home, data, binaries));
        line.add("--bootstrap");
        Process process = builder(line, home).start();
        try (OutputStream in = process.getOutputStream()) {
            String user = System.getProperty("user.name").replace("'", "''");
            in.write("create database mysql;\nuse mysql;\nset @auth_root_socket='%s';\n"
                    .formatted(user)
                    .getBytes(UTF_8));
            for (Path script : binaries.systemTables()) {
                // Accounts for this machine's host name would be password-less: they are left out.
                for (String text : Files.readAllLines(script, UTF_8)) {
                    in.write((text.contains("@current_hostname") ? "\n" : text + "\n").getBytes(UTF_8));
                }
            }
            in.write(statements.getBytes(UTF_8));
        } catch (IOException e) {
            throw new EmbeddedDatabaseProblem("The embedded database could not be made: " + logTail(home), e);
        }
        if (!hasEnded(process)) {
            process.destroyForcibly();
            throw new EmbeddedDatabaseProblem(
                    "The embedded database was not made within " + BOOTSTRAP_SECONDS + " s: " + logTail(home));
        }
        if (process.exitValue() != 0) {
            throw new EmbeddedDatabaseProblem("The embedded database could not be made: " + logTail(home));
        }
    }

    /** Waits for the end of the process itself: its handle may know of the end before there is an exit value. */
    private static boolean hasEnded(Process process) {
        try {
            return process.waitFor(BOOTSTRAP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static List<String> commandLine(Home home, Path data, Binaries binaries) throws IOException {
        List<String> line = new ArrayList<>(List.of(
                binaries.server().toString(),
                "--no-defaults",
                "--basedir=" + binaries.root(),
                "--lc-messages-dir=" + binaries.messages(),
                "--datadir=" + data,
                "--tmpdir=" + home.temporary(),
                "--character-set-server=utf8mb4",
                "--collation-server=utf8mb4_general_ci",
                "--innodb-log-file-size=48M"));
        if (Files.getAttribute(SELF, "unix:uid").equals(0)) {
            line.add("--user=root"); // it refuses to run as root unless told to
        }
        return line;
    }

    private static ProcessBuilder builder(List<String> line, Home home) {
        ProcessBuilder builder = new ProcessBuilder(line)
                .directory(home.dir().toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(home.log().toFile()));
        // It would tell the node's supervisor that the node is ready, or ends.
        builder.environment().keySet().removeIf(name -> name.startsWith("ROWLOCK_") || name.equals("NOTIFY_SOCKET"));
        return builder;
    }

    /** Waits until the process has ended; returns false if it is still running after that time. */
    boolean endedWithin(long time, TimeUnit unit) {
        try {
            handle.onExit().get(time, unit);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EmbeddedDatabaseProblem("Interrupted while waiting for the embedded database.", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("waiting for process " + handle.pid(), e);
        }
    }

    /** Returns the last lines of the server's log, for an error's text. */
    static String logTail(Home home) {
        try (RandomAccessFile log = new RandomAccessFile(home.log().toFile(), "r")) {
            log.seek(Math.max(0, log.length() - LOG_TAIL_BYTES));
            byte[] tail = new byte[(int) (log.length() - log.getFilePointer())];
            log.readFully(tail);
            return "see " + home.log() + ", which ends with:\n" + new String(tail, UTF_8).strip();
        } catch (IOException e) {
            return "its log " + home.log() + " cannot be read: " + e.getMessage();
        }
    }
}
