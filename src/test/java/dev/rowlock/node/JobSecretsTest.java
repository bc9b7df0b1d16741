package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.alert.store.ChannelStore;
import dev.rowlock.exec.LaunchSpec;
import dev.rowlock.field.InvalidDefinition;
import dev.rowlock.secret.KeyRing;
import dev.rowlock.secret.LocalSecrets;
import dev.rowlock.secret.NodeSecrets;
import dev.rowlock.secret.SecretSource;
import dev.rowlock.secret.request.Secrets;
import dev.rowlock.secret.store.SecretStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** The secrets that commands are started with. */
class JobSecretsTest extends NodeByHand {

    private static final String KEY_TEXT = KeyRing.newKey();
    private static final KeyRing KEYS = KeyRing.of(List.of(KEY_TEXT));
    private static final NodeSecrets WITH_KEY = new NodeSecrets(KEYS, LocalSecrets.NONE);

    @Test
    void a_command_gets_the_value_that_is_stored_when_it_starts() throws IOException {
        put("password", "first value");
        HandDrivenNode node = playground.joined("k", Map.of(), WITH_KEY);
        leaveToOthers();
        create("PASSWORD", "password");
        prepareOn(node);

        put("password", "second value");
        scheduleUntilStarted(node);

        assertThat(value(node, 0, "PASSWORD")).isEqualTo("second value");
    }

    @Test
    void a_value_that_was_read_before_is_not_used_again_after_it_changed() throws IOException {
        put("password", "first value");
        HandDrivenNode node = playground.joined("k", Map.of(), WITH_KEY);
        leaveToOthers();
        create("PASSWORD", "password");

        for (String next : List.of("first value", "second value", "third value")) {
            if (next.startsWith("third")) {
                secrets(KEYS).delete("default", "password", true);
            }
            put("password", next);
            run(node);
            assertThat(value(node, node.processes.started.size() - 1, "PASSWORD"))
                    .isEqualTo(next);
        }
    }

    @Test
    void a_secret_that_is_gone_stops_its_command_alone_and_names_itself() {
        put("password", "first value");
        HandDrivenNode node = playground.joined("k", Map.of(), WITH_KEY);
        leaveToOthers();
        create("PASSWORD", "password");
        rows.task(playground.job("plain", "0 0 1 1 *"), -50, true);
        secrets(KEYS).delete("default", "password", true);

        run(node);

        assertThat(node.processes.started).hasSize(2);
        assertThatThrownBy(
                        () -> ofJob(node, "default/j").secrets().get("PASSWORD").read())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("there is no secret default/password, which secretEnv.PASSWORD names");
        assertThat(ofJob(node, "default/plain").secrets()).isEmpty();
    }

    @Test
    void what_was_tampered_with_is_never_given_to_a_command() {
        put("password", "first value");
        put("other", "another value");
        HandDrivenNode node = playground.joined("k", Map.of(), WITH_KEY);
        leaveToOthers();
        create("PASSWORD", "password");
        rows.run("update secret s join secret o on o.name = 'other' set s.sealed = o.sealed where s.name = 'password'");

        run(node);

        assertThatThrownBy(
                        () -> ofJob(node, "default/j").secrets().get("PASSWORD").read())
                .hasMessageContaining("default/password is not what was stored");
    }

    @Test
    void a_node_without_the_key_leaves_the_job_to_one_that_has_it_and_says_so() throws IOException {
        put("password", "first value");
        HandDrivenNode node = playground.joined("k", Map.of(), WITH_KEY);
        a.keeper.runOnce();
        create("PASSWORD", "password");
        due("-100000");
        rows.task(playground.job("plain", "0 0 1 1 *"), -50, true);

        a.schedule();
        a.schedule();

        assertThat(a.processes.started)
                .extracting(spec -> spec.environment().get("ROWLOCK_JOB"))
                .containsExactly("default/plain");
        assertThat(a.problem().orElse(""))
                .contains("lacks the key to the secrets of 1 job", "default/j", "secrets.previous-keys");
        assertThat(a.secrets()).contains(KEYS.ids().get(0));
        node.schedule();
        assertThat(value(node, 0, "PASSWORD")).isEqualTo("first value");
        assertThat(node.secrets()).contains("encrypted under key");
    }

    @Test
    void a_node_with_the_key_that_has_only_just_joined_is_left_the_job() throws IOException {
        put("password", "first value");
        create("PASSWORD", "password");
        due("-100000");
        HandDrivenNode node = playground.joining("k", Map.of(), WITH_KEY);
        node.keeper.runOnce();

        a.schedule(); // before its next heartbeat shows it who joined
        a.schedule();

        assertThat(a.processes.started).isEmpty();
        assertThat(a.problem().orElse("")).contains("lacks the key to the secrets of 1 job");
        scheduleUntilStarted(node);
        assertThat(value(node, 0, "PASSWORD")).isEqualTo("first value");
    }

    @Test
    void what_a_node_has_prepared_before_it_lacks_the_key_is_started_by_another() throws IOException {
        put("password", "first value");
        create("PASSWORD", "password");
        HandDrivenNode first = playground.joined("f", Map.of(), WITH_KEY);
        KeyRing newer = KeyRing.of(List.of(KeyRing.newKey(), KEY_TEXT));
        HandDrivenNode node = playground.joined("k", Map.of(), new NodeSecrets(newer, LocalSecrets.NONE));
        leaveToOthers();
        prepareOn(first);

        assertThat(secrets(newer).rotate().rotated()).isEqualTo(1);
        scheduleUntil(first, () -> first.problem().isPresent());

        assertThat(first.problem().orElse("")).contains("lacks the key to the secrets of 1 job");
        scheduleUntilStarted(node);
        assertThat(value(node, 0, "PASSWORD")).isEqualTo("first value");
        assertThat(first.processes.started).isEmpty();
    }

    @Test
    void if_no_node_has_the_key_the_run_says_what_to_configure() {
        put("password", "first value");
        create("PASSWORD", "password");

        run(a);

        assertThatThrownBy(() -> ofJob(a, "default/j").secrets().get("PASSWORD").read())
                .hasMessageContaining("secrets.key-file");
    }

    @Test
    void a_node_that_has_the_key_but_may_not_run_the_job_is_no_reason_to_wait() {
        put("password", "first value");
        playground.joined("k", Map.of("role", "web"), WITH_KEY);
        HandDrivenNode db = playground.joined("d", Map.of("role", "db"), NodeSecrets.NONE);
        ObjectNode job = job("PASSWORD", "password").put("nodes", "role=db");
        jobs.create(job);

        run(db);

        assertThat(db.processes.started).hasSize(1);
    }

    @Test
    void files_and_variables_of_the_node_are_read_where_its_settings_allow_it() throws IOException {
        Path allowed = Files.createDirectories(dir.resolve("allowed"));
        Files.writeString(allowed.resolve("token"), "of the file\n");
        Files.writeString(dir.resolve("shadow"), "not for you");
        Files.createSymbolicLink(allowed.resolve("link"), dir.resolve("shadow"));
        LocalSecrets local =
                new LocalSecrets(List.of(allowed), List.of("GIVEN"), Map.of("GIVEN", "of the daemon", "OTHER", "x"));

        assertThat(local.file(allowed.resolve("token")).read().reveal()).isEqualTo("of the file");
        assertThat(local.variable("GIVEN").read().reveal()).isEqualTo("of the daemon");
        refused(local.file(dir.resolve("shadow")), "secrets.files");
        refused(local.file(allowed.resolve("../shadow")), "secrets.files");
        refused(local.file(allowed.resolve("link")), "leads out");
        refused(local.file(allowed.resolve("none")), "does not exist");
        refused(local.file(allowed), "not a regular file");
        refused(local.variable("OTHER"), "secrets.env");
        refused(LocalSecrets.NONE.file(allowed.resolve("token")), "secrets.files");
    }

    @Test
    void a_job_that_names_a_secret_for_the_first_time_needs_it_to_be_there() {
        assertThatThrownBy(() -> create("PASSWORD", "password"))
                .isInstanceOfSatisfying(
                        InvalidDefinition.class,
                        e -> assertThat(e.problems().get(0).toString())
                                .contains("secretEnv.PASSWORD", "PUT /api/v1/secrets/default/password"));
        assertThat(rows.count("job")).isZero();

        put("password", "first value");
        create("PASSWORD", "password");
        secrets(KEYS).delete("default", "password", true);
        jobs.patch(KEY, JsonNodeFactory.instance.objectNode().put("description", "still"), ANY);
        assertThat(rows.count("job where version = 2")).isEqualTo(1);
    }

    @Test
    void jobs_without_secrets_cost_no_statement() {
        rows.task(playground.job("plain", "0 0 1 1 *"), -50, true);
        rows.run("alter table secret rename to secret_away");
        try {
            a.schedule();
            assertThat(a.processes.started).hasSize(1);
        } finally {
            rows.run("alter table secret_away rename to secret");
        }
    }

    @Test
    void secrets_that_cannot_be_read_leave_nothing_executing_without_a_process() {
        put("password", "first value");
        HandDrivenNode node = playground.joined("k", Map.of(), WITH_KEY);
        leaveToOthers();
        create("PASSWORD", "password");
        prepareOn(node);
        rows.task(playground.job("plain", "0 0 1 1 *"), -50, true);
        rows.run("alter table secret rename to secret_away");
        try {
            scheduleUntil(node, () -> node.processes.started.size() == 1 && isOverdue());
            node.schedule();
            assertThat(node.processes.started)
                    .extracting(spec -> spec.environment().get("ROWLOCK_JOB"))
                    .containsExactly("default/plain");
            assertThat(rows.count("live_task where state = 'EXECUTING'")).isEqualTo(1);
        } finally {
            rows.run("alter table secret_away rename to secret");
        }
    }

    private static void refused(SecretSource source, String setting) {
        assertThatThrownBy(source::read).isInstanceOf(IOException.class).hasMessageContaining(setting);
    }

    private Secrets secrets(KeyRing keys) {
        return new Secrets(new SecretStore(database), new ChannelStore(database), keys);
    }

    private void put(String name, String value) {
        secrets(KEYS).put("default", name, JsonNodeFactory.instance.objectNode().put("value", value));
    }

    private void create(String variable, String secret) {
        jobs.create(job(variable, secret));
    }

    private static ObjectNode job(String variable, String secret) {
        ObjectNode job = JsonNodeFactory.instance
                .objectNode()
                .put("name", "j")
                .put("schedule", "@manual")
                .put("command", "true")
                .put("overlap", "ALLOW");
        job.putObject("secretEnv").put(variable, secret);
        return job;
    }

    /** The node of all tests takes none of it. */
    private void leaveToOthers() {
        a.departure.leave();
        playground.nodes.forEach(node -> {
            if (node != a) {
                node.keeper.runOnce();
            }
        });
    }

    private void run(HandDrivenNode node) {
        jobs.run(KEY, null);
        node.schedule();
        node.schedule();
    }

    private void due(String millis) {
        rows.task(Long.parseLong(String.valueOf(rows.one("select id from job where name = 'j'"))), 3_600_000, true);
        rows.run("update live_task set due_at = utc_timestamp(3) + interval " + millis + " microsecond");
    }

    private void prepareOn(HandDrivenNode node) {
        due("1500000");
        node.schedule();
        assertThat(node.prepared()).hasSize(1);
    }

    private boolean isOverdue() {
        return rows.count("live_task where started_at is null and due_at < utc_timestamp(3) - interval 1 second") == 1;
    }

    private static void scheduleUntilStarted(HandDrivenNode node) {
        scheduleUntil(node, () -> !node.processes.started.isEmpty());
    }

    /** Time goes by meanwhile. */
    private static void scheduleUntil(HandDrivenNode node, BooleanSupplier condition) {
        long begun = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(60));
            node.keeper.runOnce();
            node.schedule();
            node.compensator.runOnce();
        }
    }

    private static LaunchSpec ofJob(HandDrivenNode node, String job) {
        return node.processes.started.stream()
                .filter(spec -> job.equals(spec.environment().get("ROWLOCK_JOB")))
                .findFirst()
                .orElseThrow();
    }

    private static String value(HandDrivenNode node, int start, String variable) throws IOException {
        return node.processes.started.get(start).secrets().get(variable).read().reveal();
    }
}
