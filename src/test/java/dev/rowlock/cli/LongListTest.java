package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A list of 100,000 jobs in a process whose heap could not hold them. The server only pretends to be a node. */
@Tag("slow")
class LongListTest {

    private static final int JOBS = 100_000;
    private static final int PAGE = 1000;

    @TempDir
    Path home;

    private static String job(int number) {
        return "{\"namespace\":\"ops\",\"name\":\"job-" + number + "\",\"schedule\":\"0 3 * * *\",\"zone\":\"UTC\","
                + "\"command\":\"" + "x".repeat(500) + "\",\"state\":\"ACTIVE\",\"paused\":false}";
    }

    private static void answer(HttpExchange exchange) throws IOException {
        String query = String.valueOf(exchange.getRequestURI().getQuery());
        int from = query.matches(".*cursor=[0-9]+.*")
                ? Integer.parseInt(query.replaceFirst(".*cursor=([0-9]+).*", "$1"))
                : 0;
        String items = IntStream.range(from, Math.min(JOBS, from + PAGE))
                .mapToObj(LongListTest::job)
                .collect(Collectors.joining(",", "[", "]"));
        String next = from + PAGE < JOBS ? "\"" + (from + PAGE) + "\"" : "null";
        byte[] body = ("{\"items\":" + items + ",\"nextCursor\":" + next + "}").getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @ParameterizedTest
    @CsvSource({"table, 100001", "name, 100000", "json, 100000"})
    void it_takes_no_more_memory_than_a_page(String format, int lines) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/api/v1/jobs", LongListTest::answer);
        server.start();
        try {
            ProcessBuilder builder = new ProcessBuilder(
                            ScriptHome.install(home).toString(), "job", "list", "-o", format)
                    .redirectError(ProcessBuilder.Redirect.INHERIT);
            builder.environment().keySet().removeIf(name -> name.startsWith("ROWLOCK_"));
            builder.environment()
                    .put(
                            "ROWLOCK_URL",
                            "http://127.0.0.1:" + server.getAddress().getPort());
            builder.environment().put("ROWLOCK_TOKEN", "any");
            builder.environment().put("ROWLOCK_JAVA_OPTS", "-Xmx32m");
            Process process = builder.start();
            process.getOutputStream().close();
            long read;
            try (BufferedReader out =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                read = out.lines()
                        .filter(line -> format.equals("json") ? line.contains("job-") : true)
                        .count();
            }
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
            assertThat(read).isEqualTo(lines);
        } finally {
            server.stop(0);
        }
    }
}
