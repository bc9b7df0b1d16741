package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Server-sent events as a client reads them. */
@Tag("database")
class EventEndpointTest {

    @RegisterExtension
    static final Api api = new Api();

    private static final TaskRows rows = new TaskRows(api);

    /** So that each has an id of its own. */
    private static final AtomicInteger SESSIONS = new AtomicInteger();

    private final List<Stream> streams = new ArrayList<>();

    /** Token of this test alone: streams of the one before count until the node has noticed that they are gone. */
    private String token = "";

    @BeforeEach
    void create() {
        rows.create();
        token = token("test-" + SESSIONS.incrementAndGet());
    }

    @AfterEach
    void close() {
        streams.forEach(Stream::close);
    }

    @Test
    void a_run_is_told_as_it_starts_and_as_it_ends() throws IOException {
        Stream stream = open("", null);
        long task = rows.run();
        rows.executes(task);
        Told started = stream.next();
        while (started.name.startsWith("job.") || started.name.startsWith("node.")) {
            started = stream.next(); // another stream was open when they came
        }
        rows.ends(task, "FAILED");
        Told ended = stream.next();

        assertThat(started.name).isEqualTo("task.started");
        assertThat(started.data.path("state").asText()).isEqualTo("EXECUTING");
        assertThat(ended.name).isEqualTo("task.ended");
        assertThat(ended.data.path("id").asLong()).isEqualTo(task);
        assertThat(ended.data.path("outcome").asText()).isEqualTo("FAILED");
        assertThat(ended.data.path("namespace").asText()).isEqualTo("default");
        assertThat(stream.connection.getContentType()).startsWith("text/event-stream");
    }

    @Test
    void only_what_is_asked_for_is_told() throws IOException {
        api.put("/jobs/default/b", "{\"schedule\": \"@manual\", \"command\": \"true\"}");
        Stream stream = open("?job=b", null);
        api.put("/jobs/default/c", "{\"schedule\": \"@daily\", \"command\": \"true\"}");
        rows.session("s", "node-a");
        api.put("/jobs/default/b", "{\"schedule\": \"@daily\", \"command\": \"true\"}");

        Told told = stream.next();
        if (told.id.endsWith(".1")) {
            told = stream.next(); // another stream was open when the job was made
        }
        while (told.data.path("name").asText().equals("b")
                && told.data.path("nextFireTime").isNull()) {
            told = stream.next(); // that it was made may be told only now
        }

        assertThat(told.name).isEqualTo("job.changed");
        assertThat(told.data.path("name").asText()).isEqualTo("b");
        assertThat(told.data.path("nextFireTime").isTextual()).isTrue();
        api.call("DELETE", "/jobs/default/b", null);
        Told gone = stream.next();
        assertThat(gone.data.path("deleted").asBoolean()).as(gone.toString()).isTrue();
    }

    @Test
    void a_freeze_is_told_when_it_is_made_and_when_it_is_ended() throws IOException {
        Stream stream = open("", null);
        long id = api.post("/freezes", "{\"namespaces\": [\"iced\"], \"for\": \"1h\"}")
                .body()
                .path("id")
                .asLong();
        Told made = freeze(stream);
        api.call("DELETE", "/freezes/" + id, null);
        Told ended = freeze(stream);

        assertThat(made.data.path("id").asLong()).isEqualTo(id);
        assertThat(made.data.path("state").asText()).isEqualTo("ACTIVE");
        assertThat(ended.data.path("id").asLong()).isEqualTo(id);
        assertThat(ended.data.path("state").asText()).isEqualTo("ENDED");
    }

    private static Told freeze(Stream stream) throws IOException {
        Told told = stream.next();
        while (!told.name.equals("freeze.changed")) {
            told = stream.next(); // another stream was open when they came
        }
        return told;
    }

    @Test
    void who_comes_back_goes_on_where_it_stopped() throws IOException {
        Stream first = open("?job=a", null);
        long task = rows.run();
        rows.executes(task);
        Told started = first.next();
        while (!started.name.equals("task.started")) {
            started = first.next();
        }
        first.close();
        rows.ends(task, "SUCCEEDED");

        Stream second = open("?job=a", started.id);
        List<String> names = new ArrayList<>();
        Told told = second.next();
        for (; !told.name.equals("task.ended"); told = second.next()) {
            names.add(told.name);
        }

        assertThat(told.data.path("id").asLong()).isEqualTo(task);
        assertThat(names).contains("task.started").doesNotHaveDuplicates();
    }

    @Test
    void what_is_wrong_with_a_request_is_said_before_anything_is_streamed() {
        assertThat(api.raw("GET", "/api/v1/events", null, List.of()).status()).isEqualTo(401);
        assertThat(api.call("GET", "/events", null, "Last-Event-ID", "x").fields())
                .containsExactly("Last-Event-ID");
        assertThat(api.get("/events?lastEventId=x&job=a/b/c").fields()).containsExactlyInAnyOrder("lastEventId", "job");
        assertThat(api.get("/events?type=x").fields()).containsExactly("type");
    }

    @Test
    void one_caller_may_have_so_many_streams_and_others_have_theirs() throws IOException {
        Stream one = open("", null);
        open("", null);
        Api.Reply refused = api.raw("GET", "/api/v1/events", null, List.of("Authorization", "Bearer " + token));

        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.header("Retry-After")).isNotEmpty();
        assertThat(refused.body().path("detail").asText()).contains("you have 2 event streams on this node");
        open("", null, token("other"));
        one.close();
        open("", null);
    }

    private Stream open(String query, @Nullable String lastId) throws IOException {
        return open(query, lastId, token);
    }

    private static String token(String name) {
        return api.post("/tokens", "{\"name\": \"" + name + "\", \"role\": \"viewer\"}")
                .body()
                .path("token")
                .asText();
    }

    private Stream open(String query, @Nullable String lastId, String token) throws IOException {
        HttpURLConnection connection = connect(query, lastId, token);
        for (int i = 0; connection.getResponseCode() == 429 && i < 300; i++) {
            int number = SESSIONS.incrementAndGet();
            rows.session("s" + number, "node-" + number); // what is sent to those who have gone tells the server so
            LockSupport.parkNanos(200_000_000);
            connection = connect(query, lastId, token);
        }
        assertThat(connection.getResponseCode()).isEqualTo(200);
        Stream stream = new Stream(
                connection,
                new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8)));
        assertThat(stream.lines.readLine()).isEqualTo("retry: 2000");
        streams.add(stream);
        return stream;
    }

    private static HttpURLConnection connect(String query, @Nullable String lastId, String token) throws IOException {
        URI uri = URI.create("http://127.0.0.1:" + api.port() + "/api/v1/events" + query);
        HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
        connection.setReadTimeout(60_000);
        connection.setRequestProperty("Authorization", "Bearer " + token);
        if (lastId != null) {
            connection.setRequestProperty("Last-Event-ID", lastId);
        }
        return connection;
    }

    private record Told(String id, String name, JsonNode data) {}

    private record Stream(HttpURLConnection connection, BufferedReader lines) {

        Told next() throws IOException {
            String id = "";
            String name = "";
            String line = lines.readLine();
            for (; line != null && !line.startsWith("data: "); line = lines.readLine()) {
                id = line.startsWith("id: ") ? line.substring(4) : id;
                name = line.startsWith("event: ") ? line.substring(7) : name;
            }
            assertThat(line).as("the stream goes on").isNotNull();
            return new Told(id, name, Api.JSON.readTree(String.valueOf(line).substring(6)));
        }

        void close() {
            connection.disconnect();
        }
    }
}
