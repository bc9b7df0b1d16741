package dev.rowlock.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigTest {

    @TempDir
    Path dir;

    @Test
    void the_defaults_are_those_of_the_design() {
        Config config = embedded(Map.of("ROWLOCK_NODE_NAME", "n1"));

        assertThat(config.database()).isEqualTo(new Config.Database(null, null, null, 10));
        assertThat(config.http()).isEqualTo(new Config.Http("127.0.0.1", 7575, false, List.of(), 256 * 1024));
        assertThat(config.dataDir()).isEqualTo(dir.resolve("data").toAbsolutePath());
        assertThat(config.node()).isEqualTo(new Config.Node("n1", 64, Map.of()));
        assertThat(config.adminToken()).isNull();
        assertThat(config.session())
                .isEqualTo(
                        new Config.Session(seconds(2), seconds(20), seconds(5), seconds(30), Config.OnDisconnect.KILL));
        assertThat(config.scheduler()).isEqualTo(new Config.Scheduler(seconds(30), seconds(1), 10_000, 500));
        assertThat(config.misfireThreshold()).isEqualTo(seconds(60));
        assertThat(config.recovery()).isEqualTo(new Config.Recovery(3, seconds(1)));
        assertThat(config.output()).isEqualTo(new Config.Output(10 << 20, 64 << 10, 64 << 10));
        assertThat(config.historyRetention()).isEqualTo(Duration.ofDays(30));
        assertThat(config.historyVersions()).isEqualTo(100);
        assertThat(config.shutdownGrace()).isEqualTo(seconds(30));
    }

    /** One value per setting that differs from its default, and the part of the configuration that must then differ. */
    static Stream<List<String>> one_of_each() {
        return Stream.of(
                List.of("database.user", "u"),
                List.of("database.password", "p w"),
                List.of("database.pool-size", "3"),
                List.of("http.host", "localhost"),
                List.of("http.port", "0"),
                List.of("http.allow-plaintext", "true"),
                List.of("http.allowed-hosts", "a.example, b.example"),
                List.of("http.max-body-bytes", "1MiB"),
                List.of("data.dir", "elsewhere"),
                List.of("node.name", "n.2_a-b"),
                List.of("node.capacity", "1"),
                List.of("node.labels", "zone=a,disk=ssd"),
                List.of("admin.token", "12345678"),
                List.of("session.heartbeat", "300ms"),
                List.of("session.fence", "19s"),
                List.of("session.fence-grace", "1s500ms"),
                List.of("session.timeout", "1m"),
                List.of("session.on-disconnect", "KEEP"),
                List.of("scheduler.horizon", "1h"),
                List.of("scheduler.takeover", "700ms"),
                List.of("scheduler.prepared-limit", "7"),
                List.of("scheduler.batch", "9"),
                List.of("misfire.threshold", "1h30m"),
                List.of("recovery.max-lost", "0"),
                List.of("recovery.backoff", "0"),
                List.of("exec.spawn", "PROCESS_BUILDER"),
                List.of("output.max-bytes", "20000000"),
                List.of("output.head-bytes", "1KiB"),
                List.of("output.tail-bytes", "2KiB"),
                List.of("history.retention", "0"),
                List.of("history.versions", "7"),
                List.of("shutdown.grace", "5m"));
    }

    @ParameterizedTest
    @MethodSource("one_of_each")
    void every_setting_is_read_from_the_environment_and_from_the_file_alike(List<String> pair) throws IOException {
        String key = pair.get(0);
        Config standard = embedded(Map.of());
        Config fromEnvironment = embedded(Map.of(Setting.variable(key), pair.get(1)));
        Config nested = file(key.replace(".", ":\n  ") + ": '" + pair.get(1) + "'\n");
        Config dotted = file(key + ": '" + pair.get(1) + "'\n");

        assertThat(fromEnvironment).isNotEqualTo(standard);
        assertThat(nested).isEqualTo(fromEnvironment);
        assertThat(dotted).isEqualTo(fromEnvironment);
    }

    @Test
    void every_setting_has_its_line_in_the_table_above() {
        List<String> tested = Stream.concat(
                        Stream.of("database.url"), one_of_each().map(pair -> pair.get(0)))
                .toList();
        assertThat(tested)
                .containsExactlyElementsOf(
                        Settings.all().stream().map(Setting::key).toList());
    }

    @Test
    void the_environment_wins_over_the_file() throws IOException {
        Path file = Files.writeString(dir.resolve("r.yaml"), "http: {port: 1, host: localhost}\n");

        Config config = Config.load(file, Map.of("ROWLOCK_HTTP_PORT", "2"), true);

        assertThat(config.http().port()).isEqualTo(2);
        assertThat(config.http().host()).isEqualTo("localhost");
    }

    @Test
    void an_empty_variable_counts_as_not_set() {
        assertThat(embedded(Map.of("ROWLOCK_ADMIN_TOKEN", "")).adminToken()).isNull();
    }

    @Test
    void yaml_lists_and_maps_are_read() throws IOException {
        Config config = file("http:\n  allowed-hosts: [a, '[::1]']\nnode:\n  labels: {zone: a, rack: 7}\n");

        assertThat(config.http().allowedHosts()).containsExactly("a", "[::1]");
        assertThat(config.node().labels()).isEqualTo(Map.of("zone", "a", "rack", "7"));
    }

    @Test
    void the_file_of_the_installation_is_read_if_there_is_one() throws IOException {
        Files.createDirectories(dir.resolve("config"));
        Files.writeString(dir.resolve("config/rowlock.yaml"), "http.port: 7\n");

        assertThat(embedded(Map.of()).http().port()).isEqualTo(7);
    }

    @Test
    void short_sessions_for_tests_are_accepted() {
        Config config = embedded(Map.of(
                "ROWLOCK_SESSION_HEARTBEAT", "300ms", "ROWLOCK_SESSION_FENCE", "2s", "ROWLOCK_SESSION_TIMEOUT", "3s"));

        assertThat(config.session().fenceGrace()).isEqualTo(Duration.ofMillis(500));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    http.port               | 65536        | a whole number from 0 to 65535
                    http.port               | -1           | a whole number from 0 to 65535
                    http.port               | 99999999999  | a whole number from 0 to 65535
                    http.allow-plaintext    | yes          | true or false
                    http.max-body-bytes     | 64KB         | 64KiB or 10MiB
                    http.max-body-bytes     | 99999999999GiB | 64KiB or 10MiB
                    http.allowed-hosts      | http://a     | without scheme and port
                    node.name               | a b          | 1 to 64 of
                    node.capacity           | 0            | from 1 to 10000
                    node.capacity           | 10001        | from 1 to 10000
                    node.labels             | zone         | zone=a,disk=ssd
                    session.heartbeat       | 2            | written like 250ms
                    session.heartbeat       | 2 s          | written like 250ms
                    session.heartbeat       | -2s          | written like 250ms
                    session.heartbeat       | 30m1h        | written like 250ms
                    scheduler.horizon       | 2h           | from 100ms to 1h
                    session.fence           | 100ms        | from 1s to 1h
                    session.timeout         | 1s           | from 1s500ms to 2h
                    history.retention       | 999999999d999999999d | written like 250ms
                    database.url            | jdbc:postgresql://x/y | begins with jdbc:mysql:
                    """)
    void a_wrong_value_is_reported_with_both_spellings_what_was_found_and_what_is_allowed(
            String key, String value, String allowed) {
        assertThat(problems(Map.of(Setting.variable(key), value)))
                .singleElement()
                .asString()
                .startsWith(key + " (" + Setting.variable(key) + "): found '" + value + "', allowed is ")
                .contains(allowed);
    }

    @Test
    void a_url_without_a_database_is_refused() {
        assertThat(problems(null, Map.of("ROWLOCK_DATABASE_URL", "jdbc:mysql://h:3306/?sslMode=REQUIRED"), false))
                .singleElement()
                .asString()
                .contains("database.url", "names no database");
    }

    @Test
    void all_wrong_keys_are_reported_together() throws IOException {
        Path file = Files.writeString(
                dir.resolve("r.yaml"), "http: {port: many, prot: 1}\nnode: {capacity: [1]}\nsession.fence: 1x\n");

        assertThat(problems(file, Map.of("ROWLOCK_SCHEDULER_BATCH", "0"), true))
                .hasSize(5)
                .anySatisfy(text -> assertThat(text).startsWith("http.prot in ").endsWith("did you mean http.port?"))
                .anySatisfy(text -> assertThat(text).startsWith("http.port: found 'many'"))
                .anySatisfy(text -> assertThat(text).startsWith("node.capacity: found [1]"))
                .anySatisfy(text -> assertThat(text).startsWith("session.fence: found '1x'"))
                .anySatisfy(
                        text -> assertThat(text).startsWith("scheduler.batch (ROWLOCK_SCHEDULER_BATCH): found '0'"));
    }

    @Test
    void secrets_are_not_shown() {
        assertThat(problems(Map.of("ROWLOCK_ADMIN_TOKEN", "sec ret")))
                .singleElement()
                .asString()
                .doesNotContain("sec ret");
        Map<String, String> environment = Map.of(
                "ROWLOCK_ADMIN_TOKEN", "hidden-token",
                "ROWLOCK_DATABASE_PASSWORD", "hidden-password",
                "ROWLOCK_DATABASE_URL", "jdbc:mysql://u:hidden@h/d?password=hidden");
        assertThat(Config.load(null, environment, false).toString()).doesNotContain("hidden");
    }

    @Test
    void an_unknown_variable_is_reported_with_the_nearest_one() {
        assertThat(embedded(Map.of("ROWLOCK_HTP_PORT", "1", "ROWLOCK_SOMETHING", "2"))
                        .warnings())
                .containsExactly(
                        "ROWLOCK_HTP_PORT in the environment is ignored: there is no such setting; did you mean ROWLOCK_HTTP_PORT?",
                        "ROWLOCK_SOMETHING in the environment is ignored: there is no such setting; config/rowlock.yaml shows all there are.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ROWLOCK_HOME",
                "ROWLOCK_JAVA_OPTS",
                "ROWLOCK_LOG_LEVEL",
                "ROWLOCK_URL",
                "ROWLOCK_TOKEN",
                "ROWLOCK_TEST_X",
                "PATH"
            })
    void variables_that_are_no_settings_are_let_be(String variable) {
        assertThat(embedded(Map.of(variable, "/x")).warnings()).isEmpty();
    }

    @Test
    void what_kubernetes_gives_to_every_container_beside_a_service_is_let_be() {
        Map<String, String> environment = new HashMap<>();
        for (String service : List.of("ROWLOCK", "ROWLOCK_HTTP", "ROWLOCK_DATABASE_1")) {
            environment.put(service + "_SERVICE_HOST", "10.0.0.7");
            environment.put(service + "_SERVICE_PORT", "80");
            environment.put(service + "_SERVICE_PORT_API_V1", "80");
            environment.put(service + "_PORT", "tcp://10.0.0.7:80");
            environment.put(service + "_PORT_80_TCP", "tcp://10.0.0.7:80");
            environment.put(service + "_PORT_80_TCP_PROTO", "tcp");
            environment.put(service + "_PORT_80_TCP_PORT", "80");
            environment.put(service + "_PORT_80_TCP_ADDR", "10.0.0.7");
        }

        Config config = embedded(environment);

        assertThat(config.warnings()).isEmpty();
        assertThat(config.http().port()).as("not the Service's").isEqualTo(7575);
    }

    @Test
    void a_port_that_is_none_of_kubernetes_is_a_mistake_that_is_named() {
        assertThat(embedded(Map.of("ROWLOCK_PORT", "7575")).warnings())
                .singleElement()
                .asString()
                .startsWith("ROWLOCK_PORT in the environment is ignored");
    }

    @Test
    void what_a_job_is_told_about_itself_stops_no_command_that_it_runs() {
        assertThat(embedded(Map.of(
                                "ROWLOCK_JOB", "ops/check",
                                "ROWLOCK_TASK_ID", "1",
                                "ROWLOCK_LAUNCH_ID", "s-1",
                                "ROWLOCK_SESSION", "s",
                                "ROWLOCK_NODE", "a",
                                "ROWLOCK_FIRE_TIME", "2026-12-01T03:00:00.000Z",
                                "ROWLOCK_ATTEMPT", "1",
                                "ROWLOCK_CAUSE", "SCHEDULE",
                                "ROWLOCK_FENCING_TOKEN", "7"))
                        .warnings())
                .isEmpty();
    }

    @Test
    void a_value_that_yaml_does_not_take_for_text_is_told_so_and_a_secret_is_not_shown() throws IOException {
        Path file = Files.writeString(
                dir.resolve("r.yaml"), "database: {user: 12, password: 0123}\nnode: {name: true}\nhttp: {host: [a]}\n");

        assertThat(problems(file, Map.of(), true))
                .satisfiesExactlyInAnyOrder(
                        text -> assertThat(text)
                                .isEqualTo(
                                        "database.user: found 12 (a number to YAML: put text in quotes), allowed is the name of"
                                                + " an account in one line, such as rowlock."),
                        text -> assertThat(text)
                                .startsWith(
                                        "database.password: found a value that is not shown, as it is secret (a number")
                                .contains("such as \"0123\"")
                                .doesNotContain("83"),
                        text -> assertThat(text).startsWith("node.name: found true (true or false to YAML"),
                        text -> assertThat(text)
                                .startsWith("http.host: found [\"a\"] (a list)")
                                .endsWith("; the default is 127.0.0.1."));
    }

    @Test
    void a_tab_in_yaml_is_named_with_its_line() throws IOException {
        Path file = Files.writeString(dir.resolve("r.yaml"), "http:\n\tport: 7575\n");

        assertThat(problems(file, Map.of(), true))
                .singleElement()
                .asString()
                .contains("r.yaml at line 2", "tab", "spaces")
                .doesNotContain("this is not YAML");
    }

    @Test
    void a_node_without_any_database_is_told_what_to_set() {
        assertThat(problems(null, Map.of("ROWLOCK_HOME", dir.toString()), false))
                .singleElement()
                .asString()
                .contains("database.url", "ROWLOCK_DATABASE_URL", "--embedded");
    }

    @Test
    void two_databases_at_once_are_refused() {
        assertThat(problems(Map.of("ROWLOCK_DATABASE_URL", "jdbc:mysql://h/d")))
                .singleElement()
                .asString()
                .contains("--embedded");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "192.168.1.5", "node1.example", "127.evil.example", "localhost.example"})
    void listening_beyond_loopback_needs_consent(String host) {
        assertThat(problems(Map.of("ROWLOCK_HTTP_HOST", host)))
                .singleElement()
                .asString()
                .contains("http.host (ROWLOCK_HTTP_HOST)", "unencrypted", "http.allow-plaintext");
        assertThat(embedded(Map.of("ROWLOCK_HTTP_HOST", host, "ROWLOCK_HTTP_ALLOW_PLAINTEXT", "true"))
                        .http()
                        .host())
                .isEqualTo(host);
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "127.0.0.1", "127.1.2.3", "::1"})
    void loopback_needs_no_consent(String host) {
        assertThat(embedded(Map.of("ROWLOCK_HTTP_HOST", host)).http().host()).isEqualTo(host);
    }

    @ParameterizedTest
    @CsvSource({
        "session.heartbeat, 5001ms",
        "session.fence-grace, 15s",
        "session.fence, 25001ms",
        "session.timeout, 23s",
        "output.head-bytes, 600KiB",
    })
    void settings_that_contradict_each_other_are_reported_once(String key, String value) {
        Map<String, String> environment = new HashMap<>(Map.of(Setting.variable(key), value));
        if (key.startsWith("output")) {
            environment.put("ROWLOCK_OUTPUT_MAX_BYTES", "1MiB");
        }
        assertThat(problems(environment)).singleElement().asString().contains(key);
    }

    @Test
    void the_limits_of_the_session_are_included() {
        assertThatCode(() -> embedded(Map.of(
                        "ROWLOCK_SESSION_HEARTBEAT",
                        "5s",
                        "ROWLOCK_SESSION_FENCE",
                        "20s",
                        "ROWLOCK_SESSION_TIMEOUT",
                        "24s")))
                .doesNotThrowAnyException();
    }

    @Test
    void a_fence_too_close_to_the_timeout_for_the_guard_is_refused_with_its_remedy() {
        Map<String, String> close = Map.of(
                "ROWLOCK_SESSION_HEARTBEAT",
                "200ms",
                "ROWLOCK_SESSION_FENCE",
                "1250ms",
                "ROWLOCK_SESSION_TIMEOUT",
                "1500ms");

        assertThat(problems(close))
                .singleElement()
                .asString()
                .startsWith("session.fence (ROWLOCK_SESSION_FENCE): found 1s250ms, allowed is at most 1s")
                .contains("the guard looks every 200ms", "Raise session.timeout or lower session.fence");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"http: {port: 1", "- a\n- b\n", "a: 1\na: 2\n", "http: {port: 1}\nhttp.port: 2\n", "http: 5\n"})
    void a_file_that_cannot_be_read_as_settings_is_one_sentence(String yaml) throws IOException {
        Path file = Files.writeString(dir.resolve("r.yaml"), yaml);

        assertThat(problems(file, Map.of(), true))
                .singleElement()
                .asString()
                .contains("r.yaml")
                .doesNotContain("\n");
    }

    @Test
    void text_that_yaml_takes_for_a_number_must_be_quoted() throws IOException {
        Path file = Files.writeString(dir.resolve("r.yaml"), "database.password: 0123\n");

        assertThat(problems(file, Map.of(), true)).singleElement().asString().contains("in quotes");
    }

    @Test
    void a_file_that_is_not_there_is_reported() {
        assertThat(problems(dir.resolve("none.yaml"), Map.of(), true))
                .singleElement()
                .asString()
                .contains("none.yaml");
    }

    private Config embedded(Map<String, String> environment) {
        Map<String, String> all = new HashMap<>(environment);
        all.put("ROWLOCK_HOME", dir.toString());
        return Config.load(null, all, true);
    }

    private Config file(String yaml) throws IOException {
        Path file = Files.writeString(dir.resolve("r.yaml"), yaml);
        return Config.load(file, Map.of("ROWLOCK_HOME", dir.toString()), true);
    }

    private List<String> problems(Map<String, String> environment) {
        Map<String, String> all = new HashMap<>(environment);
        all.put("ROWLOCK_HOME", dir.toString());
        return problems(null, all, true);
    }

    private static List<String> problems(
            @org.jspecify.annotations.Nullable Path file, Map<String, String> environment, boolean embedded) {
        ConfigProblems problems =
                catchThrowableOfType(ConfigProblems.class, () -> Config.load(file, environment, embedded));
        assertThat(problems).as("problems").isNotNull();
        return problems.sentences();
    }

    private static Duration seconds(long seconds) {
        return Duration.ofSeconds(seconds);
    }
}
