package dev.rowlock.task.transition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.Servers;
import dev.rowlock.db.schema.Migrations;
import dev.rowlock.definition.Outcome;
import dev.rowlock.definition.Overlap;
import dev.rowlock.task.Task;
import dev.rowlock.task.rule.FirePolicy;
import dev.rowlock.task.rule.Terms;
import dev.rowlock.task.store.Claim;
import dev.rowlock.task.store.StartResult;
import dev.rowlock.task.store.Started;
import dev.rowlock.task.transition.Start.NoSlot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Each arrow of the state machine, driven by hand on a real database. */
class TransitionsTest extends Transitions {

    @Test
    void migrating_again_changes_nothing() {
        Migrations.run(new Servers(new DatabaseAddress(server.url(), server.user(), server.password())));

        assertThat(rows.count("cluster_lock")).isEqualTo(65);
    }

    @Test
    void acquiring_hands_the_cursor_on_and_closes_the_chain() {
        long job = rows.job("j", DEFINITION);
        rows.task(job, -100, true);
        Task task = scan().get(0);
        Instant second = task.fireTime().plusSeconds(1);
        Instant third = task.fireTime().plusSeconds(2);

        List<Task> prepared = acquire.acquire(
                        "one",
                        List.of(new Acquisition(
                                task,
                                launch("one", 1),
                                List.of(new Acquisition.Further(second, launch("one", 2))),
                                null,
                                third,
                                Terms.PLAIN)),
                        Instant.now())
                .tasks();

        assertThat(prepared).hasSize(2);
        assertThat(
                        rows.all(
                                "select state, launch_id, session_id, cursor_of is not null as cur, next_fire_time from live_task order by fire_time"))
                .extracting(row -> row.get("state") + " " + row.get("launch_id") + " " + row.get("cur"))
                .containsExactly("PREPARED one-1 0", "PREPARED one-2 0", "IDLE null 1");
        assertThat(
                        rows.one(
                                "select count(*) from live_task a join live_task b on b.job_id = a.job_id and b.fire_time = a.next_fire_time"))
                .isEqualTo("2");
        assertThat(prepared.get(1).id())
                .isEqualTo(
                        Long.parseLong(String.valueOf(rows.one("select id from live_task where launch_id = 'one-2'"))));
    }

    @Test
    void a_task_is_acquired_once() {
        rows.task(rows.job("j", DEFINITION), -100, true);
        Task task = scan().get(0);

        assertThat(acquired("one", task, 1)).hasSize(1);
        assertThat(acquired("two", task, 1)).isEmpty();
        assertThat(rows.count("live_task")).isEqualTo(2);
    }

    @Test
    void what_is_prepared_has_the_priority_of_its_job_though_its_row_had_an_older_one() {
        rows.task(rows.job("j", DEFINITION), -1000, false);
        Terms terms = new Terms(Duration.ZERO, 5, null);

        Acquire.Prepared prepared = acquire.acquire(
                "one",
                List.of(new Acquisition(scan().get(0), launch("one", 1), List.of(), null, null, terms)),
                Instant.now());

        assertThat(prepared.tasks()).singleElement().returns(5, Task::priority);
    }

    @Test
    void a_task_of_a_job_that_was_changed_meanwhile_is_not_acquired() {
        rows.task(rows.job("j", DEFINITION), -100, true);
        Task task = scan().get(0);
        rows.run("update job set version = 2");
        rows.run("update job_next set job_version = 2");

        assertThat(acquired("one", task, 1)).isEmpty();
    }

    @Test
    void a_task_of_a_job_that_was_changed_meanwhile_is_not_fired() {
        Task prepared = prepared("one", -100);
        rows.run("update job set version = 2");

        assertThat(start.start("one", "a", List.of(Claim.fire(prepared)), 10, NOW, NoSlot.GIVE_BACK)
                        .started())
                .isEmpty();
    }

    @Test
    void a_task_taken_over_can_no_longer_be_given_back_by_its_old_owner() {
        prepared("one", -1500);
        List<Task> held = release.held("one");
        Claim takeover = Scans.overdue(start, "two", Instant.EPOCH, 10, () -> launch("two", 1))
                .get(0);
        start.start("two", "b", List.of(takeover), 10, Duration.ofSeconds(1), NoSlot.GIVE_BACK);

        release.giveBack(held);

        assertThat(rows.one("select concat(state, ' ', session_id) from live_task where launch_id is not null"))
                .isEqualTo("EXECUTING two");
    }

    /** A release that was committed unheard is repeated, and others were faster. */
    @Test
    void a_task_prepared_anew_by_another_is_not_given_back_by_its_old_owner() {
        prepared("one", -1500);
        List<Task> held = release.held("one");
        release.giveBack(held);
        assertThat(acquired("two", scan().get(0), 1)).hasSize(1);

        release.giveBack(held);

        assertThat(rows.one("select concat(state, ' ', session_id) from live_task where launch_id is not null"))
                .isEqualTo("PREPARED two");
    }

    @Test
    void a_task_taken_over_can_no_longer_be_fired_by_its_old_owner() {
        Task prepared = prepared("one", -1500);
        Claim takeover = Scans.overdue(start, "two", Instant.EPOCH, 10, () -> launch("two", 1))
                .get(0);

        StartResult taken = start.start("two", "b", List.of(takeover), 10, Duration.ofSeconds(1), NoSlot.GIVE_BACK);
        StartResult stale = start.start("one", "a", List.of(Claim.fire(prepared)), 10, NOW, NoSlot.GIVE_BACK);

        assertThat(taken.started())
                .extracting(started -> started.task().launch())
                .containsExactly(launch("two", 1));
        assertThat(stale)
                .isEqualTo(new StartResult(
                        List.of(), Set.of(), Set.of(), Set.of(), Set.of(), Set.of(), List.of(), List.of()));
        assertThat(rows.one("select session_id from live_task where state = 'EXECUTING'"))
                .isEqualTo("two");
    }

    @Test
    void a_misfire_is_not_taken_over_but_given_back_to_be_decided_with_the_others() {
        Task prepared = prepared("one", -61_000);
        Claim takeover = Scans.overdue(start, "two", Instant.EPOCH, 10, () -> launch("two", 1))
                .get(0);

        StartResult result = start.start("two", "b", List.of(takeover), 10, Duration.ofSeconds(1), NoSlot.GIVE_BACK);

        assertThat(result.started()).isEmpty();
        assertThat(rows.one("select concat(state, ' ', coalesce(launch_id, '-')) from live_task where id = "
                        + prepared.id()))
                .isEqualTo("IDLE -");
    }

    @Test
    void what_anybody_prepared_of_its_job_behind_a_misfire_is_given_back_with_it() {
        long job = rows.job("j", DEFINITION);
        Task other = prepared("one", rows.job("k", DEFINITION), -1_000, 4);
        Task late = prepared("one", job, -61_000, 1);
        Task due = prepared("two", job, -1_000, 2);
        Task ahead = prepared("one", job, 20_000, 3);

        StartResult result = start.start("one", "a", List.of(Claim.fire(late)), 10, NOW, NoSlot.KEEP);

        assertThat(result.started()).isEmpty();
        assertThat(rows.all("select id from live_task where state = 'IDLE' and due_at <= utc_timestamp(3)"))
                .extracting(row -> row.get("id"))
                .containsExactlyInAnyOrder(String.valueOf(late.id()), String.valueOf(due.id()));
        assertThat(rows.one(
                        "select concat(state, ' ', due_at > utc_timestamp(3)) from live_task where id = " + ahead.id()))
                .isEqualTo("IDLE 1");
        assertThat(rows.one("select state from live_task where id = " + other.id()))
                .isEqualTo("PREPARED");
        assertThat(result.givenBack()).containsExactlyInAnyOrder(late.id(), due.id(), ahead.id());
    }

    @Test
    void what_was_given_back_is_as_old_as_when_it_was_due_first() {
        long job = rows.job("j", DEFINITION);
        long late = rows.task(job, -61_000, false);
        long due = rows.task(job, -1_000, true);
        List<Task> candidates = scan().stream().filter(task -> task.id() == due).toList();
        Misfires misfires = new Misfires(database, Instant::now);
        Instant aMinuteAgo = Instant.now().minusSeconds(60);
        assertThat(misfires.withNothingOlder(candidates, aMinuteAgo)).isEmpty();

        rows.run("update live_task set due_at = utc_timestamp(3) where id = " + late);

        assertThat(candidates).hasSize(1);
        assertThat(misfires.withNothingOlder(candidates, aMinuteAgo)).isEmpty();
        rows.run("update live_task set queued_at = fire_time where id = " + late);
        assertThat(misfires.withNothingOlder(candidates, aMinuteAgo)).hasSize(1);
    }

    @Test
    void misfires_of_many_rows_are_given_back_job_by_job_in_short_transactions() {
        List<Claim> claims = new ArrayList<>();
        for (String name : List.of("j", "k")) {
            long job = rows.job(name, DEFINITION);
            claims.add(Claim.fire(prepared("one", job, -61_000, claims.size())));
            rows.run("insert into task (job_id, job_version, stripe, fire_time, attempt, cause, due_at, state,"
                    + " session_id, launch_id) with recursive n (n) as (select 0 union all select n + 1 from n"
                    + " where n < 999) select " + job + ", 1, " + job % 64 + ", utc_timestamp(3) + interval n second,"
                    + " 1, 'SCHEDULE', utc_timestamp(3) + interval n second, 'PREPARED', 'one',"
                    + " concat('one-" + name + "', n) from n");
        }

        StartResult first = start.start("one", "a", claims, 10, NOW, NoSlot.KEEP);

        assertThat(first.givenBack()).hasSize(1_001);
        assertThat(first.left()).hasSize(1_001);
        assertThat(claims)
                .filteredOn(claim -> first.left().contains(claim.id()))
                .singleElement()
                .satisfies(claim -> {
                    StartResult second = start.start("one", "a", List.of(claim), 10, NOW, NoSlot.KEEP);
                    assertThat(second.givenBack()).isEqualTo(first.left());
                    assertThat(second.left()).isEmpty();
                });
        assertThat(rows.count("live_task where state <> 'IDLE'")).isZero();
    }

    @Test
    void a_misfire_that_was_given_back_still_tells_how_long_its_job_is_due() {
        long job = rows.job("j", DEFINITION);
        rows.task(job, -1_000, true);
        long late = rows.task(job, -61_000, false);
        rows.run("update live_task set due_at = utc_timestamp(3) where id = " + late);

        Misfires misfires = new Misfires(database, () -> Instant.now().plusSeconds(60));
        assertThat(misfires.dueSince(List.of(job)).get(job)).isGreaterThan(Duration.ofSeconds(60));
    }

    @Test
    void what_makes_up_for_an_occurrence_of_long_ago_says_nothing_of_what_is_older() {
        long job = rows.job("j", DEFINITION);
        long late = rows.task(job, -61_000, false);
        rows.task(job, -1_000, true);
        long again = rows.task(job, -86_400_000, false);
        rows.run("update live_task set due_at = utc_timestamp(3)");
        rows.run("update live_task set cause = 'CATCH_UP' where id = " + again);
        List<Task> candidates =
                scan().stream().filter(task -> task.id() != late).toList();

        assertThat(candidates).hasSize(2);
        assertThat(new Misfires(database, Instant::now)
                        .withNothingOlder(candidates, Instant.now().minusSeconds(60)))
                .isEmpty();
    }

    /** Its job may have a longer threshold than the cluster. */
    @Test
    void what_was_given_back_is_not_older_than_itself() {
        long late = rows.task(rows.job("j", DEFINITION), -61_000, true);
        rows.run("update live_task set due_at = utc_timestamp(3) where id = " + late);
        List<Task> candidates = scan();

        assertThat(candidates).hasSize(1);
        assertThat(new Misfires(database, Instant::now)
                        .withNothingOlder(candidates, Instant.now().minusSeconds(60)))
                .isEqualTo(candidates);
    }

    @Test
    void nothing_is_fired_before_the_database_says_it_is_due() {
        Task prepared = prepared("one", 60_000);

        assertThat(start.start("one", "a", List.of(Claim.fire(prepared)), 10, NOW, NoSlot.GIVE_BACK)
                        .early())
                .containsExactly(prepared.id());
        assertThat(rows.one("select state from live_task where id = " + prepared.id()))
                .isEqualTo("PREPARED");
    }

    @Test
    void what_finds_no_slot_goes_back_to_idle() {
        Task prepared = prepared("one", -100);

        assertThat(start.start("one", "a", List.of(Claim.fire(prepared)), 0, NOW, NoSlot.GIVE_BACK)
                        .full())
                .containsExactly(prepared.id());
        assertThat(rows.one(
                        "select concat(state, coalesce(launch_id, '-'), coalesce(session_id, '-')) from live_task where id = "
                                + prepared.id()))
                .isEqualTo("IDLE--");
    }

    @Test
    void a_due_task_is_skipped_while_its_job_executes() {
        long job = rows.job("j", DEFINITION);
        Task first = prepared("one", job, -2000, 1);
        Task second = prepared("one", job, -1000, 2);
        start.start("one", "a", List.of(Claim.fire(first)), 10, NOW, NoSlot.GIVE_BACK);

        StartResult result = start.start("one", "a", List.of(Claim.fire(second)), 10, NOW, NoSlot.GIVE_BACK);

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
        Task first = prepared("one", job, -2000, 1);
        Task second = prepared("one", job, -1000, 2);

        StartResult result =
                start.start("one", "a", List.of(Claim.fire(first), Claim.fire(second)), 10, NOW, NoSlot.GIVE_BACK);

        assertThat(result.started()).extracting(started -> started.task().id()).containsExactly(first.id());
        assertThat(result.skipped()).containsExactly(second.id());
    }

    @Test
    void of_two_in_one_batch_that_replace_a_task_the_newer_waits_and_the_older_ends() {
        FirePolicy replace = new FirePolicy(Overlap.REPLACE, 0, null, null, false, null, null, null, 0, null, true);
        long job = rows.job("j", DEFINITION);
        Task executing = prepared("one", job, -3000, 1);
        Task older = prepared("one", job, -2000, 2);
        Task newer = prepared("one", job, -1000, 3);
        start.start("one", "a", List.of(Claim.fire(executing)), 10, NOW, NoSlot.GIVE_BACK);

        start.start(
                "one",
                "a",
                List.of(Claim.fire(older).with(replace), Claim.fire(newer).with(replace)),
                10,
                NOW,
                NoSlot.GIVE_BACK);

        assertThat(rows.one(
                        "select concat(outcome, ' for ', superseded_by) from task_history where id = " + older.id()))
                .isEqualTo("SKIPPED for " + newer.id());
        assertThat(rows.one("select group_concat(concat(id, ' ', hold)) from task where state = 'IDLE'"))
                .isEqualTo(newer.id() + " OVERLAP");
    }

    @Test
    void the_fencing_token_grows_with_every_start_of_a_job() {
        long job = rows.job("j", DEFINITION);
        Started first = starting("one", job, 1);
        finish.finish(List.of(ending(first.task(), Outcome.SUCCEEDED)));
        Started second = starting("two", job, 2);

        assertThat(second.fencingToken()).isGreaterThan(first.fencingToken());
    }

    @Test
    void a_result_is_recorded_once_however_often_it_is_told() {
        Task task = started("one", rows.job("j", DEFINITION), 1);

        assertThat(finish.finish(List.of(ending(task, Outcome.SUCCEEDED)))).isEmpty();
        assertThat(finish.finish(List.of(ending(task, Outcome.SUCCEEDED)))).isEmpty();

        assertThat(rows.count("live_task where state = 'EXECUTING'")).isZero();
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

    /** Else it would seem to have been cancelled before its time had come, and its fire time to be missing. */
    @Test
    void what_is_given_back_of_a_deleted_job_ends_when_that_was_deleted_though_the_clock_was_set_back() {
        long job = rows.job("j", DEFINITION);
        prepared("one", job, -100, 1);
        rows.run("update job_version set valid_until = utc_timestamp(3) + interval 20 second where job_id = " + job);
        rows.run("delete from job where id = " + job);

        release.giveBack(release.held("one"));

        assertThat(rows.one(
                        "select h.ended_at = v.valid_until from task_history h join job_version v on v.job_id = h.job_id"
                                + " where h.outcome = 'CANCELLED' and h.launch_id is null"))
                .isEqualTo("1");
    }

    @Test
    void what_is_given_back_unstarted_was_no_run() {
        Task unused = prepared("one", -100);
        rows.run("update job_version set definition = json_set(definition, '$.maxRuns', 3)");
        rows.run("update live_task set state = 'EXECUTING', started_at = utc_timestamp(3)");
        rows.run("insert into job_run (job_id, runs) select job_id, 3 from live_task");

        release.giveBack(release.held("one"));

        assertThat(rows.one("select runs from job_run")).isEqualTo("2");
    }

    @Test
    void what_is_given_back_is_idle_and_due_at_once() {
        Task prepared = prepared("one", -60_000);

        release.giveBack(release.held("one"));

        assertThat(rows.one("select state = 'IDLE' and due_at > fire_time from live_task where id = " + prepared.id()))
                .isEqualTo("1");
        assertThat(release.held("one")).isEmpty();
    }
}
