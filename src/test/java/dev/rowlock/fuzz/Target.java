package dev.rowlock.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rowlock.nodes.Until;
import dev.rowlock.support.NodeProcess;
import dev.rowlock.support.Rows;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A node, its database, and all that requests can be about: jobs, tasks, groups, secrets, tokens. */
final class Target implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String KEY = "a2V5LW9mLXRoZS10ZXN0cy1vZi10aGUtYXBpLTMyLi4=";
    private static final String OF_METRICS = "token-of-the-metrics-of-the-fuzzer";
    private static final List<String> NAMESPACES = List.of("own", "theirs");

    private final NodeProcess node;
    private final Rows rows;
    private final Stage stage;
    private final String slow;

    private Target(NodeProcess node, Rows rows) throws Exception {
        this.node = node;
        this.rows = rows;
        node.awaitReady(SOON);
        List<String> tasks = furnish();
        this.stage = new Stage(port(), names(tasks), callers());
        this.slow = token("slow", "viewer", "");
    }

    /** @param database variables of a node that lead to a fresh database, and {@code rows} to the same */
    static Target start(Path dir, Map<String, String> database, Rows rows) throws Exception {
        Map<String, String> environment = new TreeMap<>(database);
        environment.put("ROWLOCK_NODE_NAME", "target");
        environment.put("ROWLOCK_SECRETS_KEY", KEY);
        environment.put("ROWLOCK_METRICS_TOKEN", OF_METRICS);
        NodeProcess node = NodeProcess.start(dir, environment);
        try {
            return new Target(node, rows);
        } catch (Exception | AssertionError e) {
            node.close();
            throw e;
        }
    }

    Stage stage() {
        return stage;
    }

    /** Beside what else is sent. */
    SlowCallers slowCallers(int many) throws IOException {
        return new SlowCallers(port(), many, slow);
    }

    NodeProcess node() {
        return node;
    }

    Rows rows() {
        return rows;
    }

    Contract contract() throws IOException {
        return Contract.of(node.get("/openapi.yaml").body());
    }

    private int port() {
        return URI.create(node.url()).getPort();
    }

    private JsonNode send(String method, String path, String body) throws IOException {
        HttpResponse<String> response = node.send(method, "/api/v1" + path, body);
        if (response.statusCode() >= 300) {
            throw new IllegalStateException(method + " " + path + ": " + response.body());
        }
        return JSON.readTree(response.body().isEmpty() ? "{}" : response.body());
    }

    /** Answers the ids of tasks that have ended. */
    private List<String> furnish() throws Exception {
        send("PUT", "/groups/g1", "{\"limit\": 2}");
        List<String> tasks = new ArrayList<>();
        for (String namespace : NAMESPACES) {
            send("PUT", "/secrets/" + namespace + "/s1", "{\"value\": \"a value of " + namespace + "\"}");
            for (int i = 1; i <= 5; i++) {
                send("PUT", "/jobs/" + namespace + "/j" + i, job(i));
            }
            for (String job : List.of("j1", "j2")) {
                JsonNode run = send("POST", "/jobs/" + namespace + "/" + job + "/run", "{}");
                tasks.add(run.findValuesAsText("id").get(0));
            }
        }
        for (String token : List.of("t1", "t2", "t3")) {
            send("POST", "/tokens", "{\"name\": \"" + token + "\", \"role\": \"viewer\"}");
        }
        Until.holds(
                SOON,
                "the end of all tasks",
                () -> "0".equals(rows.one("select count(*) from live_task where state = 'EXECUTING'"))
                        && rows.count("task_history") == tasks.size());
        return tasks;
    }

    private static String job(int i) {
        return switch (i) {
            case 1 -> "{\"schedule\": \"@manual\", \"command\": \"echo some output\", \"labels\": {\"team\": \"a\"}}";
            case 2 -> "{\"schedule\": \"@manual\", \"command\": \"false\", \"secretEnv\": {\"A\": \"s1\"}}";
            case 3 -> "{\"schedule\": \"0 3 1 1 *\", \"command\": \"true\", \"group\": \"g1\"}";
            case 4 ->
                "{\"schedule\": [\"0 3 1 1 *\", {\"schedule\": \"0 4 1 1 *\", \"zone\": \"UTC\", \"env\": {\"A\": \"1\"}}],"
                        + " \"zone\": \"Europe/Berlin\", \"command\": \"true\", \"paused\": true}";
            default ->
                "{\"schedule\": \"@manual\", \"command\": \"true\", \"overlap\": \"QUEUE\", \"retry\": {\"max\": 1}}";
        };
    }

    /** What is right for each name; the first is what stands in for an example of the contract. */
    private static Map<String, List<String>> names(List<String> tasks) {
        List<String> ids = new ArrayList<>(tasks);
        ids.addAll(List.of("1", "999999999999", "0"));
        return Map.ofEntries(
                Map.entry("ns", List.of("own", "own", "theirs", "nowhere")),
                Map.entry("namespace", List.of("own", "own", "theirs", "nowhere")),
                Map.entry("name", List.of("j1", "j2", "j3", "j4", "j5", "j6", "s1", "s2")),
                Map.entry("job", List.of("own/j1", "j1", "theirs/j2")),
                Map.entry("group", List.of("g1", "g2")),
                Map.entry("token", List.of("t1", "t2", "t3", "t4")),
                Map.entry("node", List.of("elsewhere")),
                Map.entry("id", ids),
                Map.entry("version", List.of("1", "2", "3", "77")),
                Map.entry("schedule", List.of("@manual", "0 3 1 1 *")),
                Map.entry("command", List.of("true", "false", "echo a")),
                Map.entry("shell", List.of("bash", "sh")),
                Map.entry("user", List.of("nobody")),
                Map.entry("zone", List.of("UTC", "Europe/Berlin")),
                Map.entry("role", List.of("viewer", "operator")),
                Map.entry("namespaces", List.of("own")),
                Map.entry("since", List.of("2026-01-01T00:00:00Z")),
                Map.entry("until", List.of("2027-01-01T00:00:00Z")),
                Map.entry("secretEnv", List.of("s1")),
                Map.entry("label", List.of("team=a", "team")),
                Map.entry("nodes", List.of("!nowhere")),
                Map.entry("timeout", List.of("90s")),
                Map.entry("value", List.of("another value")));
    }

    private List<Stage.Caller> callers() throws IOException {
        List<Stage.Caller> callers = new ArrayList<>();
        callers.add(new Stage.Caller("nobody", List.of(), null, false));
        callers.add(known("somebody who guesses", "a-token-that-somebody-guessed", null, false));
        callers.add(known("a forger", "rowlock_k3v9x0q2m7ab_" + "A".repeat(43), null, false));
        callers.add(known("Prometheus", OF_METRICS, null, false));
        callers.add(new Stage.Caller(
                "somebody with another scheme", List.of("Authorization: Basic YWRtaW46YWRtaW4="), null, false));
        for (Stage.Role role : Stage.Role.values()) {
            String word = role.name().toLowerCase(Locale.ROOT);
            callers.add(known(word, token("fuzz-" + word, word, ""), role, false));
            callers.add(known(word + " of own", token("own-" + word, word, ", \"namespaces\": [\"own\"]"), role, true));
        }
        callers.addAll(signedIn());
        return callers;
    }

    private String token(String name, String role, String more) throws IOException {
        return send("POST", "/tokens", "{\"name\": \"" + name + "\", \"role\": \"" + role + "\"" + more + "}")
                .path("token")
                .asText();
    }

    private static Stage.Caller known(
            String name, String token, Stage.@org.jspecify.annotations.Nullable Role role, boolean limited) {
        return new Stage.Caller(name, List.of("Authorization: Bearer " + token), role, limited);
    }

    /** An editor who has signed in, with and without what shows that no other site has sent the request. */
    private List<Stage.Caller> signedIn() throws IOException {
        HttpResponse<String> signedIn =
                node.send("POST", "/api/v1/session", "{\"token\": \"" + token("fuzz-person", "editor", "") + "\"}");
        String cookie = "Cookie: "
                + signedIn.headers().firstValue("Set-Cookie").orElseThrow().split(";", 2)[0];
        String csrf = "X-CSRF-Token: "
                + JSON.readTree(signedIn.body()).path("csrfToken").asText();
        return List.of(
                new Stage.Caller("a person", List.of(cookie, csrf), Stage.Role.EDITOR, false),
                new Stage.Caller("another site", List.of(cookie), Stage.Role.VIEWER, false));
    }

    @Override
    public void close() {
        node.close();
    }
}
