package dev.rowlock.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A real node, started as an operator starts it, with the settings of a fresh installation. */
final class Daemon implements AutoCloseable {

    static final String TOKEN = "token-of-the-measurement";

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
    private final Process process;
    private final Path dir;
    private final int port;
    private final long beganNanos;

    Daemon(Schema schema, String name, Map<String, String> more) throws IOException {
        this(schema, name, more, List.of("scripts/rowlock", "server"));
    }

    /** One whose commands are replaced by nothing. */
    static Daemon withoutProcesses(Schema schema, String name, Map<String, String> more) throws IOException {
        String java = "exec java $(scripts/java-options java) -cp \"$0\" dev.rowlock.NodeWithoutProcesses";
        return new Daemon(schema, name, more, List.of("bash", "-c", java, System.getProperty("java.class.path")));
    }

    private Daemon(Schema schema, String name, Map<String, String> more, List<String> command) throws IOException {
        dir = Files.createTempDirectory("rowlock-bench");
        port = freePort();
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(dir.resolve("node.log").toFile());
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(key -> key.startsWith("ROWLOCK_"));
        environment.put("ROWLOCK_DATABASE_URL", schema.address.url());
        environment.put("ROWLOCK_DATABASE_USER", schema.address.user());
        environment.put("ROWLOCK_DATABASE_PASSWORD", schema.address.password());
        environment.put("ROWLOCK_DATA_DIR", dir.resolve("data").toString());
        environment.put("ROWLOCK_HTTP_PORT", Integer.toString(port));
        environment.put("ROWLOCK_NODE_NAME", name);
        environment.put("ROWLOCK_ADMIN_TOKEN", TOKEN);
        environment.putAll(more);
        beganNanos = System.nanoTime();
        process = builder.start();
    }

    /** Waits until it takes work; answers how long that took since the process was asked for, in seconds. */
    double awaitReady() throws IOException {
        boolean ready = Machine.await(60, 5, () -> !process.isAlive() || status("/readyz") == 200);
        double seconds = (System.nanoTime() - beganNanos) / 1e9;
        if (!ready || !process.isAlive()) {
            throw new IllegalStateException("the node is not ready:\n" + Files.readString(dir.resolve("node.log")));
        }
        return seconds;
    }

    long pid() {
        return process.pid();
    }

    /** Seconds of processor time of all of them. */
    static double cpuSeconds(Collection<Daemon> nodes) {
        return nodes.stream().mapToDouble(node -> Machine.cpuSeconds(node.pid())).sum();
    }

    /** How many lines of its log contain this. */
    long said(String what) throws IOException {
        try (Stream<String> lines = Files.lines(dir.resolve("node.log"))) {
            return lines.filter(line -> line.contains(what)).count();
        }
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    private int status(String path) {
        try {
            return send(request(path).GET().build()).statusCode();
        } catch (IOException e) {
            return 0;
        }
    }

    String url(String path) {
        return "http://127.0.0.1:" + port + path;
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(url(path)))
                .timeout(Duration.ofMinutes(2))
                .header("Authorization", "Bearer " + TOKEN);
    }

    HttpResponse<String> send(HttpRequest request) throws IOException {
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The answer to a request that must succeed. */
    String ok(HttpRequest request) throws IOException {
        HttpResponse<String> answer = send(request);
        if (answer.statusCode() >= 300) {
            throw new IllegalStateException(request + " was answered " + answer.statusCode() + ": " + answer.body());
        }
        return answer.body();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        process.destroy();
        if (!process.waitFor(20, TimeUnit.SECONDS)) {
            kill();
        }
        try (Stream<Path> files = Files.walk(dir)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
