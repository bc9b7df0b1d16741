package dev.rowlock.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.rowlock.config.Config.AlertConfig;
import dev.rowlock.config.Config.DatabaseConfig;
import dev.rowlock.config.Config.HttpConfig;
import dev.rowlock.config.Config.MetricsConfig;
import dev.rowlock.config.Config.NodeConfig;
import dev.rowlock.config.Config.OutputConfig;
import dev.rowlock.config.Config.RecoveryConfig;
import dev.rowlock.config.Config.SchedulerConfig;
import dev.rowlock.config.Config.SessionConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read from the settings. */
class ConfigTest extends ConfigFixture {

    @Test
    void the_defaults_are_those_of_the_design() {
        Config config = embedded(Map.of("ROWLOCK_NODE_NAME", "n1"));

        assertThat(config.database()).isEqualTo(new DatabaseConfig(null, null, null, 10));
        assertThat(config.http()).isEqualTo(new HttpConfig("127.0.0.1", 7575, null, false, List.of(), 256 * 1024));
        assertThat(config.dataDir()).isEqualTo(dir.resolve("data").toAbsolutePath());
        assertThat(config.node()).isEqualTo(new NodeConfig("n1", 64, Map.of()));
        assertThat(config.adminToken()).isNull();
        assertThat(config.session()).isEqualTo(new SessionConfig(seconds(2), seconds(20), seconds(5), seconds(30)));
        assertThat(config.scheduler()).isEqualTo(new SchedulerConfig(seconds(30), seconds(1), 10_000, 500));
        assertThat(config.scheduleZone()).isEqualTo("UTC");
        assertThat(config.misfireThreshold()).isEqualTo(seconds(60));
        assertThat(config.recovery()).isEqualTo(new RecoveryConfig(3, seconds(1)));
        assertThat(config.output()).isEqualTo(new OutputConfig(10 << 20, 64 << 10, 64 << 10));
        assertThat(config.historyRetention()).isEqualTo(Duration.ofDays(30));
        assertThat(config.historyVersions()).isEqualTo(100);
        assertThat(config.historyAudit()).isEqualTo(Duration.ofDays(365));
        assertThat(config.alerts())
                .isEqualTo(new AlertConfig(null, List.of(), Map.of(), null, null, Duration.ofMinutes(1)));
        assertThat(config.shutdownGrace()).isEqualTo(seconds(30));
        assertThat(config.metrics()).isEqualTo(new MetricsConfig(Config.MetricsAccess.TOKEN, null));
        assertThat(config.otelEndpoint()).isNull();
        assertThat(config.logFormat()).isEqualTo(Config.LogFormat.TEXT);
    }

    /** One value per setting that differs from its default, or from what comes next with all else that it needs. */
    static Stream<List<String>> one_of_each() {
        return Stream.of(
                List.of("database.user", "u"),
                List.of("database.password", "p w"),
                List.of("database.pool-size", "3"),
                List.of("http.host", "localhost"),
                List.of("http.port", "0"),
                List.of("http.tls.certificate", "c.pem", "http.tls.certificate=a.pem", "http.tls.key=b.pem"),
                List.of("http.tls.key", "c.pem", "http.tls.certificate=a.pem", "http.tls.key=b.pem"),
                List.of("http.allow-plaintext", "true"),
                List.of("http.allowed-hosts", "a.example, b.example"),
                List.of("http.max-body-bytes", "1MiB"),
                List.of("http.public-url", "https://rowlock.example"),
                List.of("data.dir", "elsewhere"),
                List.of("node.name", "n.2_a-b"),
                List.of("node.capacity", "1"),
                List.of("node.labels", "zone=a,disk=ssd"),
                List.of("admin.token", "12345678"),
                List.of("signin.idle-timeout", "1h"),
                List.of("signin.max-age", "1d"),
                oidc("oidc.issuer", "http://localhost:1/b"),
                oidc("oidc.client-id", "b"),
                oidc("oidc.client-secret", "b"),
                List.of(
                        "oidc.client-secret-file",
                        "b.secret",
                        "oidc.issuer=https://a.example",
                        "oidc.client-id=a",
                        "oidc.client-secret-file=a.secret",
                        "oidc.redirect-url=https://r.example/signin/callback",
                        "oidc.roles=ops=viewer"),
                oidc("oidc.redirect-url", "https://b.example/signin/callback"),
                oidc("oidc.scopes", "openid, groups"),
                oidc("oidc.groups-claim", "realm_access.roles"),
                oidc("oidc.roles", "ops=admin"),
                List.of("session.heartbeat", "300ms"),
                List.of("session.fence", "19s"),
                List.of("session.fence-grace", "1s500ms"),
                List.of("session.timeout", "1m"),
                List.of("scheduler.horizon", "1h"),
                List.of("scheduler.takeover", "700ms"),
                List.of("scheduler.prepared-limit", "7"),
                List.of("scheduler.batch", "9"),
                List.of("schedule.zone", "Europe/Berlin"),
                List.of("misfire.threshold", "1h30m"),
                List.of("recovery.max-lost", "0"),
                List.of("recovery.backoff", "0"),
                List.of("exec.spawn", "PROCESS_BUILDER"),
                List.of("output.max-bytes", "20000000"),
                List.of("output.head-bytes", "1KiB"),
                List.of("output.tail-bytes", "2KiB"),
                List.of("secrets.key-file", "keys"),
                List.of("secrets.key", "a".repeat(43) + "="),
                List.of("secrets.previous-keys", "b".repeat(43) + "=, " + "c".repeat(43) + "="),
                List.of("secrets.files", "/run/secrets, /etc/rowlock/secrets"),
                List.of("secrets.env", "DB_PASSWORD, API_KEY"),
                List.of("history.retention", "0"),
                List.of("history.versions", "7"),
                List.of("history.audit", "90d"),
                List.of("alerts.allow-internal", "127.0.0.1, 10.0.0.0/8"),
                List.of("alerts.commands", "page=/usr/local/bin/page"),
                smtp("smtp.host", "mail.example"),
                smtp("smtp.port", "25"),
                smtp("smtp.security", "TLS"),
                smtp("smtp.user", "u"),
                smtp("smtp.password", "p w"),
                smtp("smtp.from", "b@example.com"),
                List.of("ping.url", "https://watch.example/5f1e"),
                List.of("ping.every", "5m"),
                List.of("shutdown.grace", "5m"),
                List.of("metrics.access", "open"),
                List.of("metrics.token", "87654321"),
                List.of("otel.endpoint", "http://127.0.0.1:4318"),
                List.of("log.format", "json"));
    }

    private static List<String> smtp(String key, String value) {
        return List.of(key, value, "smtp.host=a.example", "smtp.user=a", "smtp.password=a", "smtp.from=a@example.com");
    }

    /** One that means nothing without the others of its kind. */
    private static List<String> oidc(String key, String value) {
        return List.of(
                key,
                value,
                "oidc.issuer=https://a.example",
                "oidc.client-id=a",
                "oidc.client-secret=a",
                "oidc.redirect-url=https://r.example/signin/callback",
                "oidc.roles=ops=viewer");
    }

    @ParameterizedTest
    @MethodSource("one_of_each")
    void every_setting_is_read_from_the_environment_and_from_the_file_alike(List<String> pair) throws IOException {
        String key = pair.get(0);
        Files.writeString(dir.resolve("a.secret"), "a\n");
        Files.writeString(dir.resolve("b.secret"), "b\n");
        Map<String, String> beside = new HashMap<>();
        StringBuilder lines = new StringBuilder();
        for (String other : pair.subList(2, pair.size())) {
            String[] setting = other.split("=", 2);
            beside.put(Setting.variable(setting[0]), setting[1]);
            lines.append(setting[0].equals(key) ? "" : setting[0] + ": '" + setting[1] + "'\n");
        }
        Config standard = embedded(beside);
        beside.put(Setting.variable(key), pair.get(1));
        Config fromEnvironment = embedded(beside);
        Config nested = file(lines + key.replaceFirst("[.]", ":\n  ") + ": '" + pair.get(1) + "'\n");
        Config dotted = file(lines + key + ": '" + pair.get(1) + "'\n");

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
    void what_systemd_hands_over_is_the_key_file_unless_another_is_set() throws IOException {
        Path credentials = Files.createDirectory(dir.resolve("credentials"));
        Map<String, String> environment = Map.of("CREDENTIALS_DIRECTORY", credentials.toString());
        assertThat(embedded(environment).secrets().keyFile()).isNull();

        Path key = Files.createFile(credentials.resolve("rowlock-secrets-key"));
        assertThat(embedded(environment).secrets().keyFile()).isEqualTo(key);
        assertThat(embedded(Map.of(
                                "CREDENTIALS_DIRECTORY",
                                credentials.toString(),
                                "ROWLOCK_SECRETS_KEY_FILE",
                                "/etc/rowlock/keys"))
                        .secrets()
                        .keyFile())
                .isEqualTo(Path.of("/etc/rowlock/keys"));
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
    void what_is_no_number_to_yaml_1_2_is_text_and_an_alias_stands_for_its_value() throws IOException {
        Config config = file("http: {port: 7575}\nadmin: {token: &secret 0123_4567}\nmetrics: {token: *secret}\n");

        assertThat(config.http().port()).isEqualTo(7575);
        assertThat(config.adminToken()).isEqualTo("0123_4567");
        assertThat(config.metrics().token()).isEqualTo("0123_4567");
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

    @Test
    void an_unknown_variable_is_reported_with_the_nearest_one() {
        assertThat(embedded(Map.of("ROWLOCK_HTP_PORT", "1", "ROWLOCK_SOMETHING", "2"))
                        .warnings())
                .containsExactly(
                        "ROWLOCK_HTP_PORT in the environment is ignored: there is no such setting; did you mean"
                                + " ROWLOCK_HTTP_PORT?",
                        "ROWLOCK_SOMETHING in the environment is ignored: there is no such setting;"
                                + " config/rowlock.yaml shows all there are.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"ROWLOCK_HOME", "ROWLOCK_JAVA_OPTS", "ROWLOCK_URL", "ROWLOCK_TOKEN", "ROWLOCK_TEST_X", "PATH"})
    void variables_that_are_no_settings_are_let_be(String variable) {
        assertThat(embedded(Map.of(variable, "/x")).warnings()).isEmpty();
    }

    @Test
    void what_kubernetes_gives_to_every_container_next_to_a_service_is_let_be() {
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

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "127.0.0.1", "127.1.2.3", "::1"})
    void loopback_needs_no_consent(String host) {
        assertThat(embedded(Map.of("ROWLOCK_HTTP_HOST", host)).http().host()).isEqualTo(host);
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

    private static Duration seconds(long seconds) {
        return Duration.ofSeconds(seconds);
    }
}
