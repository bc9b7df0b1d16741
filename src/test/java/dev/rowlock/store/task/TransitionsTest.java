package dev.rowlock.store.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.cluster.ClusterSession;
import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.Migrations;
import dev.rowlock.db.Servers;
import dev.rowlock.db.StatementProblem;
import dev.rowlock.job.LaunchId;
import dev.rowlock.job.Outcome;
import dev.rowlock.store.history.Ending;
import dev.rowlock.store.session.Sessions;
import dev.rowlock.store.session.Sessions.Previous;
import dev.rowlock.store.task.Start.NoSlot;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Each arrow of the state machine, driven by hand on a real database. */
class TransitionsTest {

    private static final String DEFINITION = "{\"schedule\": \"* * * * * *\", \"onLost\": \"RERUN\"}";
    private static final Duration NOW = Duration.ZERO;

    @RegisterExtension
    final TestDatabase server = new TestDatabase();

    private Database database;
    private Rows rows;
    private Acquire acquire;
    private Start start;
    private Finish finish;
    private Release release;
    private Sessions sessions;

    @BeforeEach
    void open() {
        DatabaseAddress address = new DatabaseAddress(server.url(), server.user(), server.password());
        Migrations.run(new Servers(address));
        database = Database.single(address, Duration.ofSeconds(10));
        rows = new Rows(server);
        acquire = new Acquire(database);
        start = Scans.start(database);
        finish = new Finish(database, "a", 3, Duration.ofSeconds(1));
        release = new Release(database);
        sessions = new Sessions(database, finish);
        sessions.join(member("one", "a"), List.of());
        sessions.join(member("two", "b"), List.of());
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void migrating_again_changes_nothing() {
        Migrations.run(new Servers(new DatabaseAddress(server.url(), server.user(), server.password())));

        assertThat(rows.count("cluster_lock")).isEqualTo(65);
    }

    @Test
    void other_peoples_tables_in_the_same_database_are_no_hindrance() {
        rows.run("drop table rowlock_schema_history");
        rows.run("create table customer (id int)");

        Migrations.run(new Servers(new DatabaseAddress(server.url(), server.user(), server.password())));

        assertThat(rows.count("cluster_lock")).isEqualTo(65);
        assertThat(rows.count("session")).isEqualTo(2);
    }

    @Test
    void acquiring_hands_the_cursor_on_and_closes_the_chain() {
        long job = rows.job("j", DEFINITION);
        rows.task(job, -100, true);
        Candidate task = scan().get(0);
        Instant second = task.fireTime().plusSeconds(1);
        Instant third = task.fireTime().plusSeconds(2);

        List<PreparedTask> prepared = acquire.acquire(
                "one",
                List.of(new Acquisition(
                        task, launch("one", 1), List.of(new Acquisition.Further(second, launch("one", 2))), third)),
                Instant.now());

        assertThat(prepared).hasSize(2);
        assertThat(
                        rows.all(
                                "select state, launch_id, session_id, cursor_of is not null as cur, next_fire_time from task order by fire_time"))
                .extracting(row -> row.get("state") + " " + row.get("launch_id") + " " + row.get("cur"))
                .containsExactly("PREPARED one-1 0", "PREPARED one-2 0", "IDLE null 1");
        assertThat(
                        rows.one(
                                "select count(*) from task a join task b on b.job_id = a.job_id and b.fire_time = a.next_fire_time"))
                .isEqualTo("2");
        assertThat(prepared.get(1).id())
                .isEqualTo(Long.parseLong(String.valueOf(rows.one("select id from task where launch_id = 'one-2'"))));
    }

    @Test
    void a_task_is_acquired_once() {
        rows.task(rows.job("j", DEFINITION), -100, true);
        Candidate task = scan().get(0);

        assertThat(acquired("one", task, 1)).hasSize(1);
        assertThat(acquired("two", task, 1)).isEmpty();
        assertThat(rows.count("task")).isEqualTo(2);
    }

    @Test
    void a_task_of_a_job_that_was_changed_meanwhile_is_not_acquired() {
        rows.task(rows.job("j", DEFINITION), -100, true);
        Candidate task = scan().get(0);
        rows.run("update job set version = 2");

        assertThat(acquired("one", task, 1)).isEmpty();
    }

    @Test
    void a_task_taken_over_can_no_longer_be_fired_by_its_old_owner() {
        PreparedTask prepared = prepared("one", -1500);
        Claim takeover = Scans.overdue(start, "two", Instant.EPOCH, 10, () -> launch("two", 1))
                .get(0);

        Start.Result taken = start.start("two", "b", List.of(takeover), 10, Duration.ofSeconds(1), NoSlot.GIVE_BACK);
        Start.Result stale = start.start("one", "a", List.of(Claim.fire(prepared)), 10, NOW, NoSlot.GIVE_BACK);

        assertThat(taken.started()).extracting(StartedTask::launch).containsExactly(launch("two", 1));
        assertThat(stale).isEqualTo(new Start.Result(List.of(), Set.of(), Set.of(), Set.of()));
        assertThat(rows.one("select session_id from task where state = 'EXECUTING'"))
                .isEqualTo("two");
    }

    @Test
    void a_misfire_is_not_taken_over_but_given_back_to_be_decided_with_the_others() {
        PreparedTask prepared = prepared("one", -61_000);
        Claim takeover = Scans.overdue(start, "two", Instant.EPOCH, 10, () -> launch("two", 1))
                .get(0);

        Start.Result result = start.start("two", "b", List.of(takeover), 10, Duration.ofSeconds(1), NoSlot.GIVE_BACK);

        assertThat(result.started()).isEmpty();
        assertThat(rows.one(
                        "select concat(state, ' ', coalesce(launch_id, '-')) from task where id = " + prepared.id()))
                .isEqualTo("IDLE -");
    }

    @Test
    void nothing_is_fired_before_the_database_says_it_is_due() {
        PreparedTask prepared = prepared("one", 60_000);

        assertThat(start.start("one", "a", List.of(Claim.fire(prepared)), 10, NOW, NoSlot.GIVE_BACK)
                        .early())
                .containsExactly(prepared.id());
        assertThat(rows.one("select state from task where id = " + prepared.id()))
                .isEqualTo("PREPARED");
    }

    @Test
    void what_finds_no_slot_goes_back_to_idle() {
        PreparedTask prepared = prepared("one", -100);

        assertThat(start.start("one", "a", List.of(Claim.fire(prepared)), 0, NOW, NoSlot.GIVE_BACK)
                        .full())
                .containsExactly(prepared.id());
        assertThat(rows.one(
                        "select concat(state, coalesce(launch_id, '-'), coalesce(session_id, '-')) from task where id = "
                                + prepared.id()))
                .isEqualTo("IDLE--");
    }

    @Test
    void a_due_task_is_skipped_while_its_job_executes() {
        long job = rows.job("j", DEFINITION);
        PreparedTask first = prepared("one", job, -2000, 1);
        PreparedTask second = prepared("one", job, -1000, 2);
        start.start("one", "a", List.of(Claim.fire(first)), 10, NOW, NoSlot.GIVE_BACK);

        Start.Result result = start.start("one", "a", List.of(Claim.fire(second)), 10, NOW, NoSlot.GIVE_BACK);

        assertThat(result.started()).isEmpty();
        assertThat(result.skipped()).containsExactly(second.id());
        assertThat(rows.all("select * from task_history"))
                .singleElement()
                .satisfies(row ->
                        assertThat(row).containsEntry("outcome", "SKIPPED").containsEntry("node", "a"));
    }

    @Test
    void two_occurrences_of_one_job_in_one_batch_do_not_both_start() {
        long job = rows.job("j", DEFINITION);
        PreparedTask first = prepared("one", job, -2000, 1);
        PreparedTask second = prepared("one", job, -1000, 2);

        Start.Result result =
                start.start("one", "a", List.of(Claim.fire(first), Claim.fire(second)), 10, NOW, NoSlot.GIVE_BACK);

        assertThat(result.started()).extracting(StartedTask::id).containsExactly(first.id());
        assertThat(result.skipped()).containsExactly(second.id());
    }

    @Test
    void the_fencing_token_grows_with_every_start_of_a_job() {
        long job = rows.job("j", DEFINITION);
        StartedTask first = started("one", job, 1);
        finish.finish(List.of(ending(first, Outcome.SUCCEEDED)));
        StartedTask second = started("two", job, 2);

        assertThat(second.fencingToken()).isGreaterThan(first.fencingToken());
    }

    @Test
    void a_result_is_recorded_once_however_often_it_is_told() {
        StartedTask task = started("one", rows.job("j", DEFINITION), 1);

        assertThat(finish.finish(List.of(ending(task, Outcome.SUCCEEDED)))).isEmpty();
        assertThat(finish.finish(List.of(ending(task, Outcome.SUCCEEDED)))).isEmpty();

        assertThat(rows.count("task where state = 'EXECUTING'")).isZero();
        assertThat(rows.all("select * from task_history"))
                .singleElement()
                .satisfies(row -> assertThat(row)
                        .containsEntry("outcome", "SUCCEEDED")
                        .containsEntry("launch_id", "one-1")
                        .containsEntry("node", "a")
                        .containsEntry("duration_ms", "5")
                        .containsEntry("occurrences", "1")
                        .containsEntry("job", "j"));
    }

    @Test
    void leaving_loses_what_has_no_result_and_may_be_repeated() {
        StartedTask done = started("one", rows.job("done", DEFINITION), 1);
        StartedTask running = started("one", rows.job("running", DEFINITION), 2);

        finish.finish(List.of(ending(done, Outcome.SUCCEEDED)));

        for (int time = 0; time < 2; time++) {
            sessions.leave("one", "node a was stopped");
        }

        assertThat(rows.one("select outcome from task_history where id = " + done.id()))
                .isEqualTo("SUCCEEDED");
        assertThat(rows.one("select outcome from task_history where id = " + running.id()))
                .isEqualTo("LOST");
        assertThat(rows.count("task_history")).isEqualTo(2);
        assertThat(rows.count("session where id = 'one'")).isZero();
    }

    @Test
    void a_late_result_changes_nothing() {
        StartedTask task = started("one", rows.job("j", DEFINITION), 1);
        assertThat(sessions.expire("two", "one", 1, "gone")).isTrue();

        assertThat(finish.finish(List.of(ending(task, Outcome.SUCCEEDED))))
                .containsExactly(new Finish.TooLate(task.launch(), "LOST"));

        assertThat(rows.all("select outcome from task_history"))
                .singleElement()
                .satisfies(row -> assertThat(row).containsEntry("outcome", "LOST"));
        assertThat(rows.one("select concat(state, ' ', cause, ' ', attempt) from task where cause = 'RECOVERY'"))
                .isEqualTo("IDLE RECOVERY 2");
    }

    @Test
    void an_expired_session_gives_back_what_it_had_prepared() {
        PreparedTask prepared = prepared("one", 20_000);

        assertThat(sessions.expire("two", "one", 1, "gone")).isTrue();

        assertThat(rows.one("select state from task where id = " + prepared.id()))
                .isEqualTo("IDLE");
        assertThat(rows.count("session where id = 'one'")).isZero();
    }

    @Test
    void a_session_that_beats_again_is_not_expired() {
        sessions.beat("one", 2, new Sessions.Vitals(0, 0, 0, ClusterSession.State.ALIVE));

        assertThat(sessions.expire("two", "one", 1, "gone")).isFalse();
        assertThat(rows.count("session")).isEqualTo(2);
    }

    /** Two machines that were one go by the same id and count alike. */
    @Test
    void a_session_that_somebody_else_renews_too_is_not_renewed() {
        Sessions.Vitals vitals = new Sessions.Vitals(0, 0, 0, ClusterSession.State.ALIVE);

        assertThat(sessions.beat("one", 2, vitals)).isTrue();
        assertThat(sessions.beat("one", 2, vitals)).isFalse();
        assertThat(sessions.beat("one", 4, vitals))
                .as("after an answer that was lost")
                .isTrue();
    }

    @Test
    void an_expired_session_can_do_nothing_any_more() {
        PreparedTask prepared = prepared("one", -100);
        sessions.expire("two", "one", 1, "gone");

        assertThat(sessions.beat("one", 2, new Sessions.Vitals(0, 0, 0, ClusterSession.State.ALIVE)))
                .isFalse();
        assertThatThrownBy(() -> start.start("one", "a", List.of(Claim.fire(prepared)), 10, NOW, NoSlot.GIVE_BACK))
                .isInstanceOf(SessionGone.class);
        assertThatThrownBy(() -> acquired("one", scan().get(0), 9)).isInstanceOf(SessionGone.class);
    }

    @Test
    void an_occurrence_that_is_lost_again_and_again_is_given_up() {
        long job = rows.job("j", DEFINITION);
        started("one", job, 1);
        int sessionNumber = 1;
        String owner = "one";
        for (int lost = 1; lost <= 4; lost++) {
            sessions.expire("two", owner, 1, "gone");
            var recovery = rows.all("select id, due_at > utc_timestamp(3) as later from task where cause = 'RECOVERY'");
            if (lost == 4) {
                assertThat(recovery).isEmpty();
                break;
            }
            assertThat(recovery).hasSize(1);
            assertThat(recovery.get(0)).containsEntry("later", lost == 1 ? "0" : "1");
            rows.run("update task set due_at = utc_timestamp(3) where cause = 'RECOVERY'");
            owner = "s" + ++sessionNumber;
            sessions.join(member(owner, owner), List.of());
            Candidate task = scan().stream()
                    .filter(c -> c.jobId() == job && !c.cursor())
                    .findFirst()
                    .orElseThrow();
            PreparedTask prepared = acquired(owner, task, 1).get(0);
            start.start(owner, owner, List.of(Claim.fire(prepared)), 10, NOW, NoSlot.GIVE_BACK);
        }
        assertThat(rows.count("task_history where outcome = 'LOST'")).isEqualTo(4);
    }

    @Test
    void a_lost_occurrence_of_a_job_that_wants_no_rerun_stays_lost() {
        started("one", rows.job("j", DEFINITION.replace("RERUN", "FAIL")), 1);

        sessions.expire("two", "one", 1, "gone");

        assertThat(rows.count("task where cause = 'RECOVERY'")).isZero();
        assertThat(rows.count("task_history where outcome = 'LOST'")).isEqualTo(1);
    }

    @Test
    void joining_again_ends_the_former_session_and_keeps_what_was_recorded_of_it() {
        StartedTask done = started("one", rows.job("done", DEFINITION), 1);
        StartedTask never = started("one", rows.job("never", DEFINITION), 2);
        PreparedTask prepared = prepared("one", 20_000);

        finish.finish(List.of(ending(done, Outcome.SUCCEEDED)));

        sessions.join(member("three", "a"), List.of(Previous.own("one", Set.of(done.launch()))));

        assertThat(rows.one("select concat(outcome, ' ', session_id, ' ', node) from task_history"))
                .isEqualTo("SUCCEEDED one a");
        assertThat(rows.one("select state from task where id = " + never.id())).isEqualTo("IDLE");
        assertThat(rows.one("select state from task where id = " + prepared.id()))
                .isEqualTo("IDLE");
        assertThat(rows.all("select id from session"))
                .extracting(row -> row.get("id"))
                .containsExactlyInAnyOrder("two", "three");
    }

    @Test
    void a_node_name_has_one_session() {
        assertThatThrownBy(() -> sessions.join(member("four", "a"), List.of())).isInstanceOf(StatementProblem.class);
    }

    @Test
    void tasks_without_a_session_are_found_and_settled() {
        started("one", rows.job("j", DEFINITION), 1);
        rows.run("delete from session where id = 'one'");

        assertThat(sessions.orphaned()).containsExactly("one");
        assertThat(sessions.settle("two", "one", 0)).isPresent();

        assertThat(sessions.orphaned()).isEmpty();
        assertThat(sessions.settle("two", "one", 0)).isEmpty();
        assertThat(rows.count("task_history where outcome = 'LOST'")).isEqualTo(1);
    }

    @Test
    void what_is_given_back_is_idle_and_due_at_once() {
        PreparedTask prepared = prepared("one", -60_000);

        release.giveBack(release.held("one"));

        assertThat(rows.one("select state = 'IDLE' and due_at > fire_time from task where id = " + prepared.id()))
                .isEqualTo("1");
        assertThat(release.held("one")).isEmpty();
    }

    private List<Candidate> scan() {
        Duration far = Duration.ofHours(1);
        return acquire.scan(
                        new Acquire.Scan(
                                Instant.EPOCH,
                                DuePosition.at(Instant.EPOCH),
                                far,
                                far,
                                List.of(1, 2),
                                100,
                                LeftOut.NOTHING),
                        null)
                .candidates();
    }

    private List<PreparedTask> acquired(String session, Candidate task, int counter) {
        Instant next = task.cursor() ? task.fireTime().plusSeconds(3600) : null;
        return acquire.acquire(
                session, List.of(new Acquisition(task, launch(session, counter), List.of(), next)), Instant.now());
    }

    private PreparedTask prepared(String session, long offsetMillis) {
        return prepared(session, rows.job("p" + offsetMillis, DEFINITION), offsetMillis, 7);
    }

    private PreparedTask prepared(String session, long job, long offsetMillis, int counter) {
        long id = rows.task(job, offsetMillis, false);
        Candidate task = scan().stream().filter(c -> c.id() == id).findFirst().orElseThrow();
        return acquired(session, task, counter).get(0);
    }

    private StartedTask started(String session, long job, int counter) {
        PreparedTask prepared = prepared(session, job, -1000L - 10L * counter, counter);
        return start.start(session, "a", List.of(Claim.fire(prepared)), 10, NOW, NoSlot.GIVE_BACK)
                .started()
                .get(0);
    }

    private static Ending ending(StartedTask task, Outcome outcome) {
        return new Ending(task.id(), task.launch(), task.shard(), outcome, null, Instant.now(), 5L, 0, null, 0L);
    }

    private static LaunchId launch(String session, int counter) {
        return LaunchId.of(session, counter);
    }

    private static ClusterSession member(String id, String node) {
        return new ClusterSession(
                id,
                new ClusterSession.Host("h", "boot", 1, 1),
                node,
                "0",
                Map.of(),
                4,
                Instant.EPOCH,
                1,
                Instant.EPOCH,
                ClusterSession.State.ALIVE,
                0,
                0,
                0,
                null,
                Map.of());
    }
}
