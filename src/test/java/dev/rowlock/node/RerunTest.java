package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.db.Database;
import dev.rowlock.exec.LaunchSpec;
import dev.rowlock.job.store.JobStore;
import dev.rowlock.support.TestDatabase;
import dev.rowlock.task.RerunRequest;
import dev.rowlock.task.request.Reruns;
import dev.rowlock.task.request.Reruns.CreatedRerun;
import dev.rowlock.task.request.Reruns.LeftOut;
import dev.rowlock.task.request.Reruns.RerunResult;
import dev.rowlock.task.rerun.RerunQueries;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What went wrong runs again, once, in order, as the job is by now. */
@Tag("database")
class RerunTest {

    private static final Instant START = Instant.parse("2026-03-02T10:00:01Z");
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration STEP = Duration.ofSeconds(10);
    private static final String TODAY = "'since': '2026-03-02T00:00:00Z'";

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    @TempDir
    Path dir;

    private PlayedCluster cluster;

    @BeforeEach
    void prepare() {
        cluster = new PlayedCluster(SERVER, dir, START);
        cluster.rows.run("delete from idempotency_key");
    }

    @AfterEach
    void close() throws IOException {
        try {
            cluster.addsUp();
            assertThat(cluster.brokenLinks(Duration.ofDays(10))).isZero();
        } finally {
            cluster.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"SKIP", "QUEUE", "ALLOW", "REPLACE"})
    void what_failed_runs_again_one_after_the_other_with_its_own_fire_time(String overlap) {
        put("j", "'schedule': '*/2 * * * *', 'overlap': '" + overlap + "'");
        failFor(Duration.ofMinutes(7));
        RerunResult result = rerun(TODAY);
        assertThat(fireTimes(result)).containsExactly("10:02", "10:04", "10:06");
        assertThat(result.nextSince()).isNull();
        List<LaunchSpec> started = cluster.node("a").processes.started;
        int before = started.size();

        for (int run = 1; run <= 3; run++) {
            look();
            assertThat(started).as("one at a time").hasSize(before + run);
            look();
            assertThat(started).as("the next waits").hasSize(before + run);
            cluster.node("a").processes.end(0);
            cluster.node("a").recorder.runOnce();
        }

        assertThat(started.subList(before, before + 3).stream().map(RerunTest::fireTime))
                .containsExactly("10:02", "10:04", "10:06");
        assertThat(history("cause = 'MANUAL'"))
                .containsExactly("SUCCEEDED 10:02:00", "SUCCEEDED 10:04:00", "SUCCEEDED 10:06:00");
        assertThat(cluster.rows.count("task_history where cause = 'MANUAL' and lateness_ms > 20000"))
                .as("late since it was asked for")
                .isZero();
    }

    @Test
    void nothing_runs_again_twice_and_what_fails_again_may_run_once_more() {
        put("j", "'schedule': '*/2 * * * *'");
        failFor(Duration.ofMinutes(5));
        List<CreatedRerun> first = rerun(TODAY).created();
        assertThat(first).hasSize(2);

        RerunResult waiting = rerun(TODAY);
        assertThat(waiting.created()).isEmpty();
        assertThat(waiting.leftOut()).extracting(LeftOut::reason).allMatch(why -> why.contains("ran it again already"));
        failFor(Duration.ofSeconds(40));
        RerunResult failed = rerun(TODAY);

        assertThat(failed.leftOut()).hasSize(2);
        assertThat(failed.created())
                .extracting(CreatedRerun::original)
                .containsExactlyElementsOf(first.stream().map(CreatedRerun::id).toList());
        assertThat(fireTimes(failed)).containsExactly("10:02", "10:04");
    }

    @Test
    void the_next_occurrence_of_a_job_that_replaces_waits_for_what_runs_again() {
        put("j", "'schedule': '*/2 * * * *', 'overlap': 'REPLACE'");
        failFor(Duration.ofMinutes(5));
        assertThat(rerun(TODAY).created()).hasSize(2);
        look();
        cluster.time.advance(Duration.ofMinutes(1));
        look();
        assertThat(cluster.node("a").processes.running()).as("10:02, again").isEqualTo(1);
        assertThat(cluster.rows.one("select hold_reason from live_task where hold = 'OVERLAP' and cause = 'SCHEDULE'"))
                .matches("task \\d+, which runs again on request, is not replaced \\(overlap REPLACE\\)");

        for (int run = 0; run < 3; run++) {
            end();
            look();
        }

        List<LaunchSpec> started = cluster.node("a").processes.started;
        assertThat(started.subList(started.size() - 3, started.size()).stream().map(RerunTest::fireTime))
                .containsExactly("10:02", "10:04", "10:06");
        assertThat(history("ended_at > '2026-03-02 10:06'")).hasSize(3).allMatch(row -> row.startsWith("SUCCEEDED"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"KILLED", "SKIPPED", "CANCELLED"})
    void what_ran_again_in_vain_may_be_asked_for_once_more(String outcome) {
        put("j", "'schedule': '*/2 * * * *'");
        failFor(Duration.ofMinutes(3));
        long first = Objects.requireNonNull(rerun(TODAY).created().get(0).id());
        look();
        end();
        cluster.rows.run("update task_history set outcome = '" + outcome + "' where id = " + first);

        List<CreatedRerun> second = rerun(TODAY).created();

        assertThat(second).extracting(CreatedRerun::original).hasSize(1).doesNotContain(first);
        assertThat(rerun(TODAY).created()).as("it is under way").isEmpty();
        look();
        end();
        assertThat(rerun(TODAY).created()).as("it is made good").isEmpty();
        assertThat(cluster.rows.one("select concat(attempt, ' ', outcome) from task_history where id = "
                        + second.get(0).id()))
                .isEqualTo("2 SUCCEEDED");
    }

    private void end() {
        cluster.time.hold();
        cluster.node("a").processes.end(0);
        cluster.node("a").recorder.runOnce();
    }

    @Test
    void a_deadline_and_the_misfire_threshold_do_not_keep_it_from_running() {
        put("j", "'schedule': '*/2 * * * *', 'startDeadline': '10s'");
        failFor(Duration.ofMinutes(3));
        cluster.put("j", "\"schedule\": \"@daily\", \"startDeadline\": \"10s\"");
        cluster.time.advance(Duration.ofHours(3));
        rerun(TODAY);

        cluster.work(Duration.ofSeconds(3), SECOND);

        assertThat(history("cause = 'MANUAL'")).containsExactly("SUCCEEDED 10:02:00");
    }

    @Test
    void a_row_for_several_occurrences_runs_again_once_for_the_last_of_them() {
        put("j", "'schedule': '* * * * *', 'misfire': 'SKIP'");
        outage(Duration.ofMinutes(5));
        cluster.work(Duration.ofSeconds(1), SECOND);

        RerunResult result = rerun(TODAY + ", 'outcome': ['MISSED']");

        assertThat(fireTimes(result)).containsExactly("10:05");
        assertThat(result.created()).extracting(CreatedRerun::occurrences).containsExactly(5L);
        assertThat(rerun(TODAY + ", 'outcome': ['MISSED']").created()).isEmpty();
        cluster.work(Duration.ofSeconds(3), SECOND);
        assertThat(history("cause = 'MANUAL'")).containsExactly("SUCCEEDED 10:05:00");
    }

    @Test
    void what_the_job_has_caught_up_with_is_left_out() {
        put("j", "'schedule': '* * * * *'");
        outage(Duration.ofMinutes(5));
        cluster.work(Duration.ofSeconds(3), SECOND);
        String caughtUp = cluster.rows.one("select id from task_history where cause = 'CATCH_UP'");

        RerunResult result = rerun(TODAY);

        assertThat(result.created()).isEmpty();
        assertThat(result.leftOut())
                .extracting(LeftOut::reason)
                .containsExactly(
                        "task " + caughtUp + " has caught up: it stands for this occurrence and those before it");
    }

    @Test
    void what_was_lost_runs_again_unless_it_was_recovered() {
        put("fails", "'schedule': '*/2 * * * *', 'onLost': 'FAIL'");
        put("reruns", "'schedule': '*/2 * * * *'");
        cluster.work(Duration.ofSeconds(115), Duration.ofSeconds(5));
        cluster.time.advance(Duration.ofSeconds(2));
        look();
        assertThat(cluster.node("a").processes.running()).isEqualTo(2);
        String dead = cluster.node("a").session();
        cluster.join("c");
        HandDrivenNode c = cluster.node("c");
        String beat = cluster.rows.one("select beat from session where node = 'a'");
        cluster.crash("a");
        cluster.time.hold();
        assertThat(c.sessions.expire(c.session(), dead, Long.parseLong(String.valueOf(beat)), "gone"))
                .isTrue();
        cluster.work(Duration.ofSeconds(6), Duration.ofSeconds(2));

        RerunResult result = rerun(TODAY + ", 'outcome': ['LOST']");

        assertThat(result.created()).extracting(CreatedRerun::job).containsExactly("fails");
        assertThat(result.leftOut()).singleElement().satisfies(left -> {
            assertThat(left.job()).isEqualTo("reruns");
            assertThat(left.reason()).contains("is a later attempt at the same occurrence");
        });
    }

    @Test
    void what_a_retry_has_made_good_is_left_out() {
        put("j", "'schedule': '*/2 * * * *', 'retry': {'max': 1, 'backoff': '1s'}");
        cluster.time.advance(Duration.ofSeconds(119));
        fail();
        cluster.work(Duration.ofSeconds(10), SECOND);
        assertThat(history("job = 'j'")).containsExactly("FAILED 10:02:00", "SUCCEEDED 10:02:00");

        RerunResult result = rerun(TODAY);

        assertThat(result.created()).isEmpty();
        assertThat(result.leftOut()).extracting(LeftOut::reason).allMatch(why -> why.contains("later attempt"));
    }

    @Test
    void a_job_that_was_deleted_is_left_out_and_one_of_the_same_name_is_another() {
        put("gone", "'schedule': '*/2 * * * *'");
        put("again", "'schedule': '*/2 * * * *'");
        failFor(Duration.ofMinutes(3));
        cluster.delete("gone");
        cluster.delete("again");
        put("again", "'schedule': '@daily'");

        RerunResult result = rerun(TODAY);

        assertThat(result.created()).isEmpty();
        assertThat(result.leftOut()).hasSize(2).allMatch(left -> left.reason().equals("the job was deleted"));
    }

    @Test
    void it_goes_by_the_job_as_it_is_by_now_also_while_it_is_paused() {
        put("j", "'schedule': '*/2 * * * *'");
        failFor(Duration.ofMinutes(3));
        cluster.command("j", "mended");
        cluster.pause("j");

        rerun(TODAY);
        cluster.work(Duration.ofSeconds(3), SECOND);

        List<LaunchSpec> started = cluster.node("a").processes.started;
        assertThat(started.get(started.size() - 1).command()).hasToString("mended");
        assertThat(history("cause = 'MANUAL'")).containsExactly("SUCCEEDED 10:02:00");
        assertThat(cluster.rows.one("select max(job_version) from task_history where cause = 'MANUAL'"))
                .isEqualTo("3");
    }

    @Test
    void what_somebody_had_asked_for_in_a_run_holds_for_its_repetition() {
        put("j", "'schedule': '@manual'");
        cluster.time.hold();
        cluster.jobs.run(
                new dev.rowlock.definition.JobKey("default", "j"),
                dev.rowlock.definition.Overrides.parse(
                        PlayedCluster.json("{\"env\": {\"A\": \"1\"}, \"overlap\": \"ALLOW\"}")),
                null);
        fail();

        assertThat(rerun(TODAY).created()).hasSize(1);
        cluster.work(Duration.ofSeconds(3), SECOND);

        List<LaunchSpec> started = cluster.node("a").processes.started;
        assertThat(started).hasSize(2);
        assertThat(started.get(1).environment()).containsEntry("A", "1");
    }

    @Test
    void the_limit_counts_over_all_jobs_and_the_answer_says_where_to_go_on() {
        put("a", "'schedule': '*/2 * * * *'");
        put("b", "'schedule': '*/2 * * * *'");
        failFor(Duration.ofMinutes(7));

        RerunResult first = rerun(TODAY + ", 'limit': 3");
        assertThat(fireTimes(first)).containsExactly("10:02", "10:02", "10:04");
        assertThat(first.nextSince()).isEqualTo("2026-03-02T10:04:00Z");
        RerunResult rest = rerun("'since': '" + first.nextSince() + "'");

        assertThat(fireTimes(rest)).containsExactly("10:04", "10:06", "10:06");
        assertThat(rest.leftOut()).hasSize(1);
    }

    @Test
    void filters_and_the_window_of_fire_times_hold() {
        put("a", "'schedule': '*/2 * * * *'");
        put("b", "'schedule': '*/2 * * * *'");
        failFor(Duration.ofMinutes(7));

        assertThat(fireTimes(rerun("'since': '2026-03-02T10:04:00Z', 'until': '2026-03-02T10:06:00Z',"
                        + " 'job': 'default/a', 'dryRun': true")))
                .containsExactly("10:04");
        assertThat(rerun(TODAY + ", 'namespace': 'other', 'dryRun': true").created())
                .isEmpty();
        assertThat(rerun(TODAY + ", 'outcome': ['LOST', 'MISSED'], 'dryRun': true")
                        .created())
                .isEmpty();
    }

    @Test
    void a_trial_tells_what_would_be_made_and_changes_nothing() {
        put("j", "'schedule': '*/2 * * * *'");
        failFor(Duration.ofMinutes(7));
        List<Map<String, @Nullable String>> tasks = cluster.rows.all("select * from live_task order by id");

        RerunResult trial = rerun(TODAY + ", 'dryRun': true", "key");

        assertThat(fireTimes(trial)).containsExactly("10:02", "10:04", "10:06");
        assertThat(trial.created()).extracting(CreatedRerun::id).containsOnlyNulls();
        assertThat(cluster.rows.all("select * from live_task order by id")).isEqualTo(tasks);
        assertThat(cluster.rows.count("idempotency_key")).isZero();
        assertThat(fireTimes(rerun(TODAY))).isEqualTo(fireTimes(trial));
    }

    @Test
    void a_repeated_request_is_answered_with_what_it_made() {
        put("j", "'schedule': '*/2 * * * *'");
        failFor(Duration.ofMinutes(5));
        RerunResult first = rerun(TODAY + ", 'limit': 1", "key");
        failFor(Duration.ofMinutes(2));

        RerunResult again = rerun(TODAY + ", 'limit': 1", "key");

        assertThat(again.repeated()).isTrue();
        assertThat(again.created()).isEqualTo(first.created()).hasSize(1);
        assertThat(again.nextSince()).isNotNull().isEqualTo(first.nextSince());
        assertThat(rerun(TODAY, "another key").created()).hasSizeGreaterThan(1);
    }

    @Test
    void a_request_whose_answer_was_lost_in_its_middle_is_carried_on() {
        put("j", "'schedule': '*/2 * * * *'");
        failFor(Duration.ofMinutes(7));
        RerunResult first = rerun(TODAY + ", 'limit': 2", "key");
        cluster.rows.run("delete from idempotency_key where idem_key not like 'rerun:%:%'");

        RerunResult again = rerun(TODAY + ", 'limit': 2", "key");

        assertThat(again.repeated()).isFalse();
        assertThat(again.created()).as("the limit holds for both").isEqualTo(first.created());
    }

    @Test
    void two_requests_at_once_make_one_run_of_each() throws Exception {
        put("j", "'schedule': '* * * * *'");
        failFor(Duration.ofMinutes(20));
        RerunRequest asked = RerunRequest.parse(
                PlayedCluster.json(("{" + TODAY + ", 'until': '2026-03-02T11:00:00Z'}").replace('\'', '"')));
        CyclicBarrier together = new CyclicBarrier(2);
        List<Future<RerunResult>> answers = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (int i = 0; i < 2; i++) {
                answers.add(threads.submit(() -> {
                    try (Database own = Database.single(cluster.playground.address(), Duration.ofSeconds(30))) {
                        Reruns reruns = new Reruns(new RerunQueries(own), new JobStore(own), () -> {});
                        together.await();
                        return reruns.rerun(asked, null);
                    }
                }));
            }
            int made = answers.get(0).get().created().size()
                    + answers.get(1).get().created().size();
            assertThat(made).isEqualTo(20);
        } finally {
            threads.shutdown();
        }
        assertThat(cluster.rows.count("live_task where cause = 'MANUAL'")).isEqualTo(20);
    }

    @Test
    void a_part_of_a_broadcast_runs_again_on_its_node_alone() {
        cluster.join("b");
        put("j", "'schedule': '*/2 * * * *', 'broadcast': true");
        cluster.time.advance(Duration.ofSeconds(119));
        cluster.nodes().forEach(node -> node.keeper.runOnce());
        for (int i = 0; i < 3; i++) {
            cluster.time.hold();
            cluster.nodes().forEach(HandDrivenNode::schedule);
        }
        cluster.node("a").processes.end(0);
        cluster.node("b").processes.end(1);
        cluster.nodes().forEach(node -> node.recorder.runOnce());
        int startedByA = cluster.node("a").processes.started.size();

        assertThat(rerun(TODAY).created()).hasSize(1);
        assertThat(rerun(TODAY).created()).isEmpty();
        cluster.work(Duration.ofSeconds(4), SECOND);

        assertThat(cluster.rows.one("select concat(node, ' ', outcome) from task_history where cause = 'MANUAL'"))
                .isEqualTo("b SUCCEEDED");
        assertThat(cluster.node("a").processes.started).hasSize(startedByA);
    }

    /** Often enough for what waits to be prepared and fired. */
    private void look() {
        for (int i = 0; i < 3; i++) {
            cluster.time.advance(SECOND);
            cluster.node("a").keeper.runOnce();
            cluster.time.hold();
            cluster.node("a").schedule();
        }
    }

    private void put(String name, String fields) {
        cluster.put(name, fields.replace('\'', '"'));
    }

    private RerunResult rerun(String fields) {
        return rerun(fields, null);
    }

    private RerunResult rerun(String fields, @Nullable String key) {
        cluster.time.hold();
        return cluster.reruns.rerun(
                RerunRequest.parse(PlayedCluster.json(("{" + fields + "}").replace('\'', '"'))), key);
    }

    /** Whatever is due starts, and fails. */
    private void failFor(Duration by) {
        for (Duration passed = Duration.ZERO; passed.compareTo(by) < 0; passed = passed.plus(STEP)) {
            cluster.time.advance(STEP);
            fail();
            fail();
        }
    }

    private void fail() {
        HandDrivenNode node = cluster.node("a");
        cluster.time.hold();
        node.keeper.runOnce();
        node.schedule();
        node.processes.end(1);
        node.recorder.runOnce();
    }

    private void outage(Duration by) {
        cluster.crash("a");
        cluster.sleep(by);
        cluster.join("a2");
    }

    private static String fireTime(LaunchSpec spec) {
        return Objects.requireNonNull(spec.environment().get("ROWLOCK_FIRE_TIME"))
                .substring(11, 16);
    }

    private static List<String> fireTimes(RerunResult result) {
        return result.created().stream()
                .map(made -> made.fireTime().toString().substring(11, 16))
                .toList();
    }

    private List<String> history(String where) {
        return cluster
                .rows
                .all("select concat(outcome, ' ', time_format(fire_time, '%H:%i:%s')) as what from task_history where "
                        + where + " order by id")
                .stream()
                .map(row -> Objects.requireNonNull(row.get("what")))
                .toList();
    }
}
