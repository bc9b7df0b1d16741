package dev.rowlock.support;

import dev.rowlock.Main;
import dev.rowlock.faults.CoverageRecorder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * A real node as a process of its own, with nothing of this JVM's environment but the path. Its log goes to {@code
 * node.log} in its directory. Closing it kills it.
 */
public final class NodeProcess implements AutoCloseable {

    /** The administrator's token of every node of the tests, unless the environment names another. */
    public static final String TOKEN = "token-of-the-tests";

    /**
     * A variable that is not for the node: if it is set, the node gets a process group of its own, whose id is its pid.
     */
    public static final String OWN_GROUP = "TEST_OWN_GROUP";

    /** A variable that keeps a capability from a node that root starts, such as {@code setuid}. */
    public static final String WITHOUT = "TEST_WITHOUT_CAPABILITY";

    private static final String MAIN = "dev.rowlock.Main";

    /** What is tested, and what nodes run: a directory. */
    private static final Path CLASSES = classes();

    /** The same as a jar, if a build has made it there. Another build has a directory, and a jar, of its own. */
    private static final Path JAR = CLASSES.resolveSibling("rowlock.jar");

    private static final String LOG_SETTINGS =
            "-Dlogback.configurationFile=" + Path.of("config", "logback.xml").toAbsolutePath();
    private static final long POLL_MILLIS = 25;

    private final Process process;
    private final Path log;
    private final int port;
    private final String token;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

    private NodeProcess(Process process, Path log, int port, String token) {
        this.process = process;
        this.log = log;
        this.port = port;
        this.token = token;
    }

    /**
     * Starts {@code rowlock server} with these arguments.
     *
     * @param dir its own: home, data directory and log
     * @param environment its {@code ROWLOCK_*} variables, which win over the defaults: home and data in {@code dir}, a
     *     free port, {@link #TOKEN}
     */
    public static NodeProcess start(Path dir, Map<String, String> environment, String... arguments) throws IOException {
        List<String> line = new ArrayList<>(List.of("server"));
        line.addAll(List.of(arguments));
        return start(MAIN, dir, environment, line);
    }

    /** The environment of a node on this database. */
    public static Map<String, String> on(TestDatabase database) {
        return new TreeMap<>(Map.of(
                "ROWLOCK_DATABASE_URL", database.url(),
                "ROWLOCK_DATABASE_USER", database.user(),
                "ROWLOCK_DATABASE_PASSWORD", database.password()));
    }

    static NodeProcess start(String main, Path dir, Map<String, String> environment, List<String> arguments)
            throws IOException {
        Map<String, String> all = new TreeMap<>(Map.of(
                "PATH", System.getenv().getOrDefault("PATH", "/usr/bin:/bin"),
                "HOME", System.getProperty("user.home"),
                "ROWLOCK_HOME", dir.toAbsolutePath().toString(),
                "ROWLOCK_DATA_DIR", dir.resolve("data").toAbsolutePath().toString(),
                "ROWLOCK_HTTP_PORT", Integer.toString(FreePorts.one()),
                "ROWLOCK_ADMIN_TOKEN", TOKEN));
        all.putAll(environment);
        Files.createDirectories(dir);
        Path log = dir.resolve("node.log");
        List<String> line = commandLine(main, arguments);
        if (all.remove(OWN_GROUP) != null) {
            line.add(0, "setsid"); // becomes what it runs: the pid stays
        }
        String without = all.remove(WITHOUT);
        if (without != null) {
            line.addAll(0, List.of("setpriv", "--bounding-set=-" + without, "--"));
        }
        // What a shell has put into the background ignores SIGINT, and so would all that it starts; nohup ignores
        // SIGHUP.
        line.addAll(0, List.of("env", "--default-signal=INT,HUP"));
        ProcessBuilder builder = new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().clear();
        builder.environment().putAll(all);
        Process process = builder.start();
        process.getOutputStream().close();
        return new NodeProcess(
                process,
                log,
                Integer.parseInt(all.getOrDefault("ROWLOCK_HTTP_PORT", "0")),
                all.getOrDefault("ROWLOCK_ADMIN_TOKEN", TOKEN));
    }

    private static List<String> commandLine(String main, List<String> arguments) throws IOException {
        List<String> line = new ArrayList<>();
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        line.add(java);
        line.addAll(shippedOptions(java));
        line.add(LOG_SETTINGS);
        if (main.equals(MAIN) && isJarCurrent()) {
            line.addAll(List.of("-jar", JAR.toString()));
        } else {
            line.addAll(List.of("-cp", System.getProperty("java.class.path")));
            line.addAll(CoverageRecorder.started(main));
        }
        line.addAll(arguments);
        return line;
    }

    /** So that a node of the tests has the heap that a node in production has, and dies where that one would. */
    private static List<String> shippedOptions(String java) throws IOException {
        Process options = new ProcessBuilder("scripts/java-options", java)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader lines = options.inputReader()) {
            return lines.lines().toList();
        }
    }

    /** What nodes run from, if not from the classes that are tested. */
    public static Optional<Path> jar() throws IOException {
        return isJarCurrent() ? Optional.of(JAR) : Optional.empty();
    }

    /** A jar of an earlier build would test what is not there any more. */
    private static boolean isJarCurrent() throws IOException {
        if (isFaultPlanted() || CoverageRecorder.isOn()) {
            return false;
        }
        if (!Files.exists(JAR) || !Files.isDirectory(JAR.resolveSibling("lib"))) {
            return false;
        }
        FileTime built = Files.getLastModifiedTime(JAR);
        try (Stream<Path> files = Files.walk(CLASSES)) {
            return files.filter(Files::isRegularFile)
                    .noneMatch(file -> modified(file).compareTo(built) > 0);
        }
    }

    private static Path classes() {
        try {
            return Path.of(Main.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A planted fault comes first on the class path, and is in no jar. */
    private static boolean isFaultPlanted() {
        Path faults = Path.of("target", "faults").toAbsolutePath();
        return System.getProperty("java.class.path").startsWith(faults + "/");
    }

    private static FileTime modified(Path file) {
        try {
            return Files.getLastModifiedTime(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public long pid() {
        return process.pid();
    }

    public String token() {
        return token;
    }

    /** Where it listens, such as {@code http://127.0.0.1:41234}. */
    public String url() {
        return "http://127.0.0.1:" + port;
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** All that it has logged so far. */
    public String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until {@code /readyz} answers 200. Fails with the log if the node ends or the time is over. */
    public NodeProcess awaitReady(Duration limit) throws InterruptedException {
        await(limit, "readiness", () -> status("/readyz") == 200);
        return this;
    }

    /** Waits until {@code /readyz} answers with this text, whatever its status; returns all of the answer. */
    public String awaitHealth(String text, Duration limit) throws InterruptedException {
        AtomicReference<String> answer = new AtomicReference<>("");
        await(limit, "'" + text + "' in /readyz", () -> {
            answer.set(get("/readyz").body());
            return answer.get().contains(text);
        });
        return answer.get();
    }

    /** Waits until the log contains this text. */
    public void awaitLog(String text, Duration limit) throws InterruptedException {
        await(limit, "'" + text + "' in the log", () -> log().contains(text));
    }

    private void await(Duration limit, String what, BooleanSupplier condition) throws InterruptedException {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            boolean ended = process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS);
            if (ended && !condition.getAsBoolean()) {
                throw new AssertionError(
                        "the node ended with code " + process.exitValue() + " before " + what + ":\n" + log());
            }
            if (System.nanoTime() - start > limit.toNanos()) {
                throw new AssertionError("no " + what + " within " + limit + ":\n" + log());
            }
        }
    }

    /** The status code of a GET with the token; 0 if nobody answers. */
    public int status(String path) {
        try {
            return get(path).statusCode();
        } catch (UncheckedIOException e) {
            return 0;
        }
    }

    /** A GET with the token. */
    public HttpResponse<String> get(String path) {
        return send(request(path).GET());
    }

    /** A request with the token and a JSON body. */
    public HttpResponse<String> send(String method, String path, String json) {
        return send(request(path)
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(json)));
    }

    /** The same with headers, each followed by its value; there must be one. */
    public HttpResponse<String> sendWith(String method, String path, String json, String... headers) {
        return send(request(path)
                .header("Content-Type", "application/json")
                .headers(headers)
                .method(method, HttpRequest.BodyPublishers.ofString(json)));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(url() + path))
                .timeout(Duration.ofSeconds(90))
                .header("Authorization", "Bearer " + token);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return http.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while asking the node", e);
        }
    }

    /** SIGKILL; returns when it is dead. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** SIGTERM; returns at once. */
    public void terminate() throws IOException, InterruptedException {
        signal("TERM");
    }

    /** SIGINT, as Ctrl-C sends it; returns at once. */
    public void interrupt() throws IOException, InterruptedException {
        signal("INT");
    }

    /** SIGHUP, as a terminal sends it that is closed; returns at once. */
    public void hangUp() throws IOException, InterruptedException {
        signal("HUP");
    }

    /** SIGSTOP. A process that has ended stays so. */
    public void freeze() throws IOException, InterruptedException {
        signal("STOP");
    }

    /** SIGCONT. A process that has ended stays so. */
    public void thaw() throws IOException, InterruptedException {
        signal("CONT");
    }

    /** What has ended since it was last looked at needs no signal. */
    private void signal(String name) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-" + name, Long.toString(pid()))
                .start()
                .waitFor();
        if (code != 0 && !process.waitFor(1, TimeUnit.SECONDS)) {
            throw new IllegalStateException("kill -" + name + " " + pid() + " ended with code " + code);
        }
    }

    /** Waits for its end and returns the exit code. Fails with the log if it lives longer than that. */
    public int awaitExit(Duration limit) throws InterruptedException {
        if (!process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new AssertionError("the node did not end within " + limit + ":\n" + log());
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
