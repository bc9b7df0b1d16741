package dev.rowlock.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.config.Config.GroupRoleConfig;
import dev.rowlock.config.Config.HttpConfig;
import dev.rowlock.config.Config.OidcConfig;
import dev.rowlock.config.Config.TlsConfig;
import dev.rowlock.db.DatabaseAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said of settings that are wrong. */
class RefusedConfigTest extends ConfigFixture {

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
                    node.name               | .            | not . or ..
                    node.name               | ..           | not . or ..
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
                    schedule.zone           | Berlin       | a time zone of the IANA database, such as Europe/Berlin
                    schedule.zone           | GMT+2        | a time zone of the IANA database
                    history.retention       | 999999999d999999999d | written like 250ms
                    history.retention       | 30s                  | 0, or a duration from 1h to 36500d
                    output.max-bytes        | 65535                | from 64KiB to 10GiB
                    history.audit           | 59m                  | 0, or a duration from 1h to 36500d
                    misfire.threshold       | 1ms                  | from 1s to 365d
                    secrets.files           | secrets      | absolute paths of directories
                    secrets.env             | A-B          | names of variables
                    history.audit           | a year               | written like 250ms
                    http.public-url         | rowlock.example.com  | such as https://rowlock.example.com
                    alerts.allow-internal   | a b                  | addresses, ranges and host names
                    alerts.commands         | page                 | a map of commands for bash
                    smtp.port               | 0                    | from 1 to 65535
                    smtp.security           | SSL                  | STARTTLS
                    smtp.from               | rowlock              | such as rowlock@example.com
                    ping.every              | 5s                   | from 10s to 1d
                    metrics.access          | OPEN         | token or open
                    otel.endpoint           | collector:4318 | begins with http:// or https://
                    log.format              | xml          | text or json
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

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    http.port           | 07575    | http: {port: 07575}
                    http.port           | 00       | http.port: 00
                    node.capacity       | 010      | node.capacity: '010'
                    http.max-body-bytes | 0064KiB  | http.max-body-bytes: 0064KiB
                    """)
    void a_number_with_a_leading_zero_is_ambiguous_in_a_file_and_in_a_variable(String key, String value, String yaml)
            throws IOException {
        Path file = Files.writeString(dir.resolve("r.yaml"), yaml + "\n");
        String said = "found '" + value + "' (octal to some, with its leading zero: leave that out), allowed is ";

        assertThat(problems(file, Map.of(), true)).singleElement().asString().startsWith(key + ": " + said);
        assertThat(problems(Map.of(Setting.variable(key), value)))
                .singleElement()
                .asString()
                .startsWith(key + " (" + Setting.variable(key) + "): " + said);
    }

    @Test
    void a_zone_that_is_none_is_refused_with_one_that_is_near() {
        assertThat(problems(Map.of("ROWLOCK_SCHEDULE_ZONE", "Europe/Berln")))
                .containsExactly(
                        "schedule.zone (ROWLOCK_SCHEDULE_ZONE): found 'Europe/Berln', allowed is a time zone of"
                                + " the IANA database, such as Europe/Berlin; the default is UTC; did you mean"
                                + " \"Europe/Berlin\"?");
    }

    @Test
    void a_mail_server_needs_a_sender_and_an_account_has_both_parts() {
        assertThat(problems(Map.of("ROWLOCK_SMTP_HOST", "mail.example.com", "ROWLOCK_SMTP_USER", "u")))
                .hasSize(2)
                .anySatisfy(text -> assertThat(text).startsWith("smtp.from: is missing"))
                .anySatisfy(text -> assertThat(text).startsWith("smtp.password: is missing"));
        assertThat(problems(Map.of("ROWLOCK_PING_URL", "watch.example.com/hidden")))
                .singleElement()
                .asString()
                .startsWith("ping.url (ROWLOCK_PING_URL): ")
                .doesNotContain("hidden");
    }

    @Test
    void a_url_without_a_database_is_refused() {
        Map<String, String> environment =
                Map.of("ROWLOCK_DATABASE_URL", "jdbc:mysql://h:3306/?sslMode=REQUIRED", "ROWLOCK_DATABASE_USER", "u");
        assertThat(problems(null, environment, false))
                .singleElement()
                .asString()
                .contains("database.url", "names no database");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{url: 'jdbc:mysql://h/d'}", "{url: 'jdbc:mysql://h/d', password: p, user: ''}"})
    void nobody_is_logged_in_under_a_name_that_stands_nowhere(String database) throws IOException {
        Path file = Files.writeString(dir.resolve("r.yaml"), "database: " + database + "\n");

        assertThat(problems(file, Map.of(), false))
                .singleElement()
                .asString()
                .startsWith("database.user: is missing")
                .contains("ROWLOCK_DATABASE_USER");
    }

    @Test
    void a_threshold_at_which_all_that_is_taken_over_would_be_missed_is_refused() {
        assertThat(problems(Map.of("ROWLOCK_MISFIRE_THRESHOLD", "1999ms")))
                .singleElement()
                .asString()
                .startsWith("misfire.threshold (ROWLOCK_MISFIRE_THRESHOLD): found 1s999ms, allowed is at least twice"
                        + " scheduler.takeover (2s)");
        assertThat(embedded(Map.of("ROWLOCK_MISFIRE_THRESHOLD", "1s", "ROWLOCK_SCHEDULER_TAKEOVER", "500ms"))
                        .misfireThreshold())
                .hasMillis(1000);
    }

    @Test
    void a_level_of_the_log_that_is_none_is_refused() {
        assertThat(problems(Map.of("ROWLOCK_LOG_LEVEL", "WARNING")))
                .singleElement()
                .asString()
                .startsWith("ROWLOCK_LOG_LEVEL in the environment: found 'WARNING', allowed is OFF or ERROR or WARN");
        assertThat(embedded(Map.of("ROWLOCK_LOG_LEVEL", "warn")).warnings()).isEmpty();
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

    @ParameterizedTest
    @ValueSource(strings = {"ROWLOCK_SECRETS_KEY", "ROWLOCK_SECRETS_PREVIOUS_KEYS"})
    void keys_are_not_shown(String variable) {
        assertThat(problems(Map.of(variable, "hunter2")))
                .singleElement()
                .asString()
                .contains("openssl rand -base64 32")
                .doesNotContain("hunter2");
        String key = "k".repeat(43) + "=";
        assertThat(embedded(Map.of(variable, key)).secrets().toString()).doesNotContain("kkkk");
        assertThat(embedded(Map.of(variable, key)).toString()).doesNotContain("kkkk");
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
                "ROWLOCK_SMTP_HOST", "mail.example.com",
                "ROWLOCK_SMTP_FROM", "rowlock@example.com",
                "ROWLOCK_SMTP_USER", "rowlock",
                "ROWLOCK_SMTP_PASSWORD", "hidden-password",
                "ROWLOCK_PING_URL", "https://watch.example.com/hidden",
                "ROWLOCK_DATABASE_URL", "jdbc:mysql://h/d",
                "ROWLOCK_DATABASE_USER", "u");
        assertThat(Config.load(null, environment, false).toString()).doesNotContain("hidden");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:mysql://u:hidden@h/d",
                "jdbc:mysql://u:hid@den@h/d",
                "jdbc:mysql://(host=h,port=9,user=u,password=hidden)/d",
                "jdbc:mysql://h/d?user=u&password=hidden",
                "mysql://u:hidden@h/d"
            })
    void a_url_with_a_password_is_refused_and_not_shown(String url) {
        assertThat(problems(null, Map.of("ROWLOCK_DATABASE_URL", url), false))
                .singleElement()
                .asString()
                .contains("there are database.user and database.password")
                .doesNotContain("hidden", "den@");
        assertThat(new DatabaseAddress(url, "", "").toString()).doesNotContain("hidden", "den@");
    }

    @Test
    void what_stands_twice_in_a_map_is_refused_with_both_places() throws IOException {
        Path file = Files.writeString(dir.resolve("r.yaml"), "http:\n  port: 1\n  host: localhost\n  port: 2\n");

        assertThat(problems(file, Map.of(), true)).containsExactly(file + ":4:3: port is here twice, first in line 2");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            '--- {http.port: 1}\n--- {http.port: 2}\n' | :2:5: there is more than one document
            'http: &a {port: *a}\n'                     | :1:7: this says too much, as an anchor refers to itself
            'http: {port: *a}\n'                        | :1:14: found undefined alias a; a value that begins with
            'http: {port: !a 1}\n'                      | :1:14: the tag !a is not understood; leave it out
            'http: {? [port] : 1}\n'                    | :1:10: the name of a field must be a text
            """)
    void yaml_that_is_no_settings_is_refused_with_its_place(String text, String said) throws IOException {
        Path file = Files.writeString(dir.resolve("r.yaml"), text.replace("\\n", "\n"));

        assertThat(problems(file, Map.of(), true)).singleElement().asString().contains("r.yaml" + said);
    }

    @Test
    void an_anchor_that_multiplies_fills_no_memory() throws IOException {
        StringBuilder text = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 9; i++) {
            text.append(
                    "a%d: &a%d [%s]\n".formatted(i, i, "*a%d, ".formatted(i - 1).repeat(10)));
        }
        Path file = Files.writeString(dir.resolve("r.yaml"), text);

        assertThat(problems(file, Map.of(), true)).singleElement().asString().contains("this says too much");
    }

    @Test
    void blanks_of_a_secret_belong_to_it() throws IOException {
        Path file = Files.writeString(dir.resolve("r.yaml"), "database: {password: ' a b '}\n");

        assertThat(Config.load(file, Map.of(), true).database().password()).isEqualTo(" a b ");
    }

    @Test
    void a_value_that_yaml_does_not_take_for_text_is_told_so_and_a_secret_is_not_shown() throws IOException {
        Path file = Files.writeString(
                dir.resolve("r.yaml"), "database: {user: 12, password: 123}\nnode: {name: true}\nhttp: {host: [a]}\n");

        assertThat(problems(file, Map.of(), true))
                .satisfiesExactlyInAnyOrder(
                        text -> assertThat(text)
                                .isEqualTo("database.user: found 12 (a number to YAML: put text in quotes), allowed is"
                                        + " the name of an account in one line, such as rowlock."),
                        text -> assertThat(text)
                                .startsWith(
                                        "database.password: found a value that is not shown, as it is secret (a number")
                                .contains("such as \"0123\"")
                                .doesNotContain("123,", "found 123"),
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
                .contains("r.yaml:2:1: ", "TAB", "indent with blanks, not with tabs");
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

    @Test
    void tls_needs_a_certificate_and_its_key_and_is_as_good_as_loopback() {
        assertThat(problems(Map.of("ROWLOCK_HTTP_HOST", "0.0.0.0", "ROWLOCK_HTTP_TLS_KEY", "k.pem")))
                .anySatisfy(said -> assertThat(said)
                        .startsWith("http.tls.certificate: is missing; http.tls.key is set")
                        .contains("ROWLOCK_HTTP_TLS_CERTIFICATE"));
        assertThat(problems(Map.of("ROWLOCK_HTTP_TLS_CERTIFICATE", "c.pem")))
                .singleElement()
                .asString()
                .startsWith("http.tls.key: is missing");
        HttpConfig http = embedded(Map.of(
                        "ROWLOCK_HTTP_HOST", "0.0.0.0",
                        "ROWLOCK_HTTP_TLS_CERTIFICATE", "tls/c.pem",
                        "ROWLOCK_HTTP_TLS_KEY", "/etc/k.pem"))
                .http();
        assertThat(http.tls()).isEqualTo(new TlsConfig(dir.resolve("tls/c.pem"), Path.of("/etc/k.pem")));
    }

    private static final Map<String, String> OIDC = Map.of(
            "ROWLOCK_OIDC_ISSUER", "https://login.example",
            "ROWLOCK_OIDC_CLIENT_ID", "rowlock",
            "ROWLOCK_OIDC_CLIENT_SECRET", "s",
            "ROWLOCK_OIDC_REDIRECT_URL", "https://rowlock.example/signin/callback",
            "ROWLOCK_OIDC_ROLES", "cn=ops,dc=example=operator;team-a=editor:billing,shared");

    @Test
    void an_identity_provider_is_read_as_a_whole() throws IOException {
        OidcConfig oidc = embedded(OIDC).signIn().oidc();
        assertThat(oidc.roles())
                .isEqualTo(Map.of(
                        "cn=ops,dc=example", new GroupRoleConfig("operator", Set.of()),
                        "team-a", new GroupRoleConfig("editor", Set.of("billing", "shared"))));
        assertThat(oidc.scopes()).containsExactly("openid", "profile", "email");
        assertThat(oidc.toString()).doesNotContain("clientSecret");
        Config nested = file("""
                oidc:
                  issuer: https://login.example
                  client-id: rowlock
                  client-secret: "s"
                  redirect-url: https://rowlock.example/signin/callback
                  roles: {"cn=ops,dc=example": operator, team-a: "editor:billing, shared"}
                """);
        assertThat(nested.signIn().oidc()).isEqualTo(oidc);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            oidc.issuer             |                              | is set, but oidc.issuer is not
            oidc.issuer             | http://login.example         | allowed is https
            oidc.issuer             | https:///nowhere             | allowed is a URL
            oidc.client-id          |                              | oidc.client-id: is missing
            oidc.client-secret      |                              | or name a file in oidc.client-secret-file
            oidc.client-secret-file | nowhere                      | there is no file
            oidc.redirect-url       |                              | oidc.redirect-url: is missing
            oidc.redirect-url       | https://r.example/callback   | followed by /signin/callback
            oidc.redirect-url       | http://r.example/signin/callback | allowed is https
            oidc.roles              |                              | oidc.roles: is missing
            oidc.roles              | ops                          | such as {ops: operator
            oidc.roles              | ops=root                     | such as {ops: operator
            oidc.roles              | ops=editor:a b               | such as {ops: operator
            signin.idle-timeout     | 8d                           | at most signin.max-age (7d)
            """)
    void an_identity_provider_that_is_not_whole_is_refused(String key, @Nullable String value, String said) {
        Map<String, String> environment = new HashMap<>(OIDC);
        environment.put(Setting.variable(key), value == null ? "" : value);
        if (key.equals("oidc.client-secret-file")) {
            environment.remove("ROWLOCK_OIDC_CLIENT_SECRET");
        }
        assertThat(problems(environment))
                .anySatisfy(sentence ->
                        assertThat(sentence).startsWith(key.substring(0, 4)).contains(said));
    }

    @Test
    void the_secret_of_an_identity_provider_comes_from_one_place() throws IOException {
        Path file = Files.writeString(dir.resolve("secret"), "from the file\n");
        Map<String, String> environment = new HashMap<>(OIDC);
        environment.put("ROWLOCK_OIDC_CLIENT_SECRET_FILE", file.toString());
        assertThat(problems(environment)).singleElement().asString().contains("leave out one of the two");

        environment.remove("ROWLOCK_OIDC_CLIENT_SECRET");
        assertThat(embedded(environment).signIn().oidc().clientSecret()).isEqualTo("from the file");
        Files.writeString(file, "\n");
        assertThat(problems(environment)).singleElement().asString().contains("must hold the secret in one line");
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

    @Test
    void a_setting_that_was_removed_stops_the_start_with_what_to_do_instead() throws IOException {
        Path file = Files.writeString(dir.resolve("r.yaml"), "session: {on-disconnect: KILL}\n");

        assertThat(problems(file, Map.of(), true)).singleElement().asString().contains("raise session.fence");
        assertThat(problems(Map.of("ROWLOCK_SESSION_ON_DISCONNECT", "KEEP")))
                .singleElement()
                .asString()
                .startsWith("ROWLOCK_SESSION_ON_DISCONNECT in the environment:")
                .contains("raise session.fence");
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
        Path file = Files.writeString(dir.resolve("r.yaml"), "database.password: 123\n");

        assertThat(problems(file, Map.of(), true)).singleElement().asString().contains("in quotes");
    }

    @Test
    void a_file_that_is_not_there_is_reported() {
        assertThat(problems(dir.resolve("none.yaml"), Map.of(), true))
                .singleElement()
                .asString()
                .contains("none.yaml");
    }
}
