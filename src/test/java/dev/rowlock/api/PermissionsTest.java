package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.access.Permission;
import dev.rowlock.access.Reach;
import dev.rowlock.access.Role;
import dev.rowlock.api.Api.Reply;
import dev.rowlock.http.Endpoints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.assertj.core.api.SoftAssertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Every route with every role, within the namespace of the caller and beyond it. */
@Tag("database")
class PermissionsTest {

    /** What a request that names the namespace {@code theirs} is, for each endpoint whose body or query may. */
    private static final Map<String, String> NAMING = Map.ofEntries(
            Map.entry("GET /api/v1/jobs", "?namespace=theirs"),
            Map.entry("POST /api/v1/jobs", "{\"namespace\": \"theirs\", \"name\": \"x\", \"command\": \"true\"}"),
            Map.entry("POST /api/v1/jobs/pause", "{\"namespace\": \"theirs\"}"),
            Map.entry("POST /api/v1/jobs/resume", "{\"namespace\": \"theirs\"}"),
            Map.entry("POST /api/v1/plan", "{\"jobs\": [{\"namespace\": \"theirs\", \"name\": \"x\"}]}"),
            Map.entry("POST /api/v1/apply", "{\"jobs\": [], \"prune\": {\"namespace\": \"theirs\"}}"),
            Map.entry("POST /api/v1/tasks/rerun", "{\"since\": \"2026-01-01T00:00:00Z\", \"job\": \"theirs/j\"}"),
            Map.entry("GET /api/v1/tasks", "?namespace=theirs"),
            Map.entry("GET /api/v1/backfills", "?namespace=theirs"),
            Map.entry("HEAD /api/v1/events", "?namespace=theirs"),
            Map.entry("GET /api/v1/forecast", "?namespace=theirs"),
            Map.entry("GET /api/v1/audit", "?namespace=theirs"),
            Map.entry("GET /api/v1/alerts", "?namespace=theirs"),
            Map.entry("POST /api/v1/freezes", "{\"namespaces\": [\"theirs\"], \"for\": \"1h\"}"),
            Map.entry("POST /api/v1/silences", "{\"namespace\": \"theirs\", \"until\": \"2099-01-01T00:00:00Z\"}"));

    /** These take no namespace: they leave out what belongs to others. */
    private static final List<String> FILTERED = List.of(
            "GET /api/v1/groups/{group}",
            "GET /api/v1/backfills/{id}",
            "DELETE /api/v1/backfills/{id}",
            "GET /api/v1/secrets",
            "GET /api/v1/alerts/rules",
            "GET /api/v1/alerts/rules/{rule}",
            "GET /api/v1/freezes",
            "GET /api/v1/freezes/{freeze}",
            "PATCH /api/v1/freezes/{freeze}",
            "DELETE /api/v1/freezes/{freeze}",
            "GET /api/v1/silences",
            "GET /api/v1/silences/{silence}",
            "DELETE /api/v1/silences/{silence}");

    @RegisterExtension
    static final Api api = new Api();

    private final Map<Role, String> unlimited = new HashMap<>();
    private final Map<Role, String> limited = new HashMap<>();

    @BeforeEach
    void tokens() {
        for (Role role : Role.values()) {
            unlimited.put(role, api.token("all-" + role.word(), role.word()));
            limited.put(role, api.token("own-" + role.word(), role.word(), "own"));
        }
        for (String namespace : List.of("own", "theirs")) {
            api.put("/jobs/" + namespace + "/j", "{\"schedule\": \"@manual\", \"command\": \"true\"}");
        }
    }

    /** Of the job {@code j} of a namespace; it ended long ago. */
    private static long task(String namespace) {
        long id = namespace.equals("own") ? 900_000_001 : 900_000_002;
        api.update("delete from task_history where id = " + id);
        api.update(
                "insert into task_history (id, job_id, namespace, job, job_version, fire_time, origin, attempt, cause,"
                        + " outcome, ended_at, last_fire_time) select " + id
                        + ", id, namespace, name, 1, '2026-01-01', '', 1,"
                        + " 'MANUAL', 'FAILED', '2026-01-01', '2026-01-01' from job where namespace = '" + namespace
                        + "'");
        return id;
    }

    private static Reply call(Endpoints.Route route, String token, String namespace, @Nullable String naming) {
        String method = route.path().equals("/api/v1/events") ? "HEAD" : route.method();
        String path = route.path()
                .replace("/api/v1", "")
                .replace("{ns}", namespace)
                .replace("{name}", "j")
                .replace("{id}", String.valueOf(route.path().contains("{id}") ? task(namespace) : 0))
                .replace("{version}", "1")
                .replaceAll("\\{[a-z]+}", "none");
        boolean query = naming != null && naming.startsWith("?");
        String empty = "POST /api/v1/jobs".equals(method + " " + route.path())
                ? "{\"namespace\": \"" + namespace + "\"}"
                : "{}";
        String body = method.matches("GET|HEAD|DELETE") ? null : naming == null ? empty : naming;
        return api.as(token, method, path + (query ? naming : ""), body);
    }

    @Test
    void every_route_lets_in_whom_the_table_says_and_nobody_else() {
        SoftAssertions softly = new SoftAssertions();
        for (Endpoints.Route route : api.table()) {
            Permission needs = route.needs();
            for (Role role : Role.values()) {
                if (needs == null) {
                    continue;
                }
                String what = route.method() + " " + route.path() + " as " + role;
                boolean may = role.includes(needs.role());
                jobs();
                int all = call(route, token(unlimited, role), "own", null).status();
                softly.assertThat(all == 403).as(what + ": " + all).isEqualTo(!may);
                softly.assertThat(all).as(what).isNotEqualTo(401).isLessThan(500);
                jobs();
                int own = call(route, token(limited, role), "own", null).status();
                softly.assertThat(own == 403)
                        .as(what + " in own namespace: " + own)
                        .isEqualTo(!may || needs.reach() == Reach.CLUSTER);
                int theirs = call(route, token(limited, role), "theirs", null).status();
                if (may && needs.reach() == Reach.PATH) {
                    softly.assertThat(theirs).as(what + " in another namespace").isEqualTo(403);
                } else if (may && needs.reach() == Reach.TASK) {
                    softly.assertThat(own).as(what + " in own namespace").isNotEqualTo(404);
                    softly.assertThat(theirs).as(what + " in another namespace").isEqualTo(404);
                }
            }
        }
        softly.assertAll();
        assertThat(api.one("select count(*) from job where namespace = 'theirs'"))
                .isEqualTo("1");
    }

    /** What a call before has deleted. */
    private static void jobs() {
        if (api.one("select count(*) from job").equals("2")) {
            return;
        }
        for (String namespace : List.of("own", "theirs")) {
            api.put("/jobs/" + namespace + "/j", "{\"schedule\": \"@manual\", \"command\": \"true\"}");
        }
    }

    private static String token(Map<Role, String> of, Role role) {
        return Objects.requireNonNull(of.get(role));
    }

    @Test
    void a_request_that_names_another_namespace_is_refused_by_every_route_that_takes_one() {
        List<String> named = new ArrayList<>();
        for (Endpoints.Route route : api.table()) {
            Permission needs = route.needs();
            if (needs == null || needs.reach() != Reach.NAMED) {
                continue;
            }
            String method = route.path().equals("/api/v1/events") ? "HEAD" : route.method();
            String key = method + " " + route.path();
            if (FILTERED.contains(key)) {
                continue;
            }
            named.add(key);
            assertThat(NAMING).as("a case of this test for each such route").containsKey(key);
            Reply reply = call(route, token(limited, Role.ADMIN), "theirs", NAMING.get(key));
            assertThat(reply.status()).as(key).isEqualTo(403);
            if (!method.equals("HEAD")) {
                assertThat(reply.header("Content-Type")).startsWith("application/problem+json");
                assertThat(reply.body().path("detail").asText())
                        .isEqualTo("'own-admin' is limited to the namespace own; this needs the namespace theirs");
            }
        }
        assertThat(named).containsExactlyInAnyOrderElementsOf(NAMING.keySet());
    }

    @Test
    void a_refusal_says_who_asked_and_what_is_needed() {
        Reply role = api.as(token(unlimited, Role.VIEWER), "POST", "/jobs/own/j/run", "{}");
        assertThat(role.body().path("detail").asText())
                .isEqualTo("'all-viewer' has the role viewer; this needs the role operator");
        Reply cluster = api.as(token(limited, Role.ADMIN), "GET", "/tokens", null);
        assertThat(cluster.body().path("detail").asText())
                .isEqualTo("'own-admin' is limited to the namespace own; this concerns the whole cluster and needs a"
                        + " token without namespaces");
    }

    /** Else whoever may run a job may run anything. */
    @Test
    void a_run_with_another_command_or_environment_needs_the_role_that_defines_jobs() {
        for (String overrides : List.of("{\"command\": \"id\"}", "{\"env\": {\"PATH\": \"/tmp\"}}")) {
            Reply refused = api.as(token(limited, Role.OPERATOR), "POST", "/jobs/own/j/run", overrides);
            assertThat(refused.status()).as(overrides).isEqualTo(403);
            assertThat(refused.body().path("detail").asText()).contains("needs the role editor");
            assertThat(api.as(token(limited, Role.EDITOR), "POST", "/jobs/own/j/run", overrides)
                            .status())
                    .isEqualTo(202);
        }
        assertThat(api.as(token(limited, Role.OPERATOR), "POST", "/jobs/own/j/run", "{\"overlap\": \"ALLOW\"}")
                        .status())
                .isEqualTo(202);
    }

    @Test
    void the_table_in_the_documentation_is_the_one_in_the_code() throws IOException {
        Map<String, TreeSet<String>> routes = new TreeMap<>();
        api.table()
                .forEach(route -> routes.computeIfAbsent(needs(route.needs()), any -> new TreeSet<>())
                        .add("`" + route.method() + " " + route.path() + "`"));
        String expected = routes.entrySet().stream()
                .map(row -> row.getKey() + String.join(", ", row.getValue()) + " |")
                .collect(Collectors.joining("\n"));
        // To be pasted into the page where it differs.
        Files.writeString(Files.createDirectories(Path.of("target")).resolve("routes.md"), expected + "\n");

        assertThat(Files.readString(Path.of("docs/security.md"))
                        .lines()
                        .filter(line -> line.matches("\\| [a-z]+ \\| [a-z]* ?\\| `[A-Z]+ /.*"))
                        .collect(Collectors.joining("\n")))
                .as("the table of routes; target/routes.md has it as it should be")
                .isEqualTo(expected);
    }

    /** The first cells of a row: the role, and what a limit to namespaces means. */
    private static String needs(@Nullable Permission needs) {
        if (needs == null) {
            return "| none |  | ";
        }
        String reach = needs.reach() == Reach.NONE ? "" : needs.reach().name().toLowerCase(Locale.ROOT);
        return "| " + needs.role().word() + " | " + reach + " | ";
    }
}
