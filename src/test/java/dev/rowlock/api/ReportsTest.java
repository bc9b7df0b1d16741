package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.db.Database;
import dev.rowlock.nodes.Until;
import dev.rowlock.report.count.Counting;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What lies ahead, what goes on, and how a job fares. */
@Tag("database")
class ReportsTest {

    @RegisterExtension
    static final Api api = new Api();

    private static long job(String name, String schedule, String more) {
        assertThat(api.put(
                                "/jobs/default/" + name,
                                "{\"schedule\": \"" + schedule + "\", \"command\": \"true\"" + more + "}")
                        .status())
                .isEqualTo(201);
        return Long.parseLong(api.one("select id from job where name = '" + name + "'"));
    }

    /** Runs of a job, a minute apart, the last of them a minute ago; one letter for the outcome of each. */
    private static void ran(long job, String name, String outcomes, long durationMillis) {
        for (int i = 0; i < outcomes.length(); i++) {
            String outcome = outcomes.charAt(i) == '+' ? "SUCCEEDED" : "FAILED";
            String at = "utc_timestamp(3) - interval " + (outcomes.length() - i) + " minute";
            api.update("insert into task_history (id, job_id, namespace, job, job_version, fire_time, origin, attempt,"
                    + " cause, outcome, reason, started_at, ended_at, lateness_ms, duration_ms, last_fire_time) values ("
                    + (job * 1000 + i) + ", " + job + ", 'default', '" + name + "', 1, " + at
                    + ", '', 1, 'SCHEDULE', '" + outcome + "', 'exit code 1', " + at + ", " + at + ", 7, "
                    + durationMillis + ", " + at + ")");
        }
    }

    private static void count() {
        Database database = api.database();
        Counting counting = new Counting(database);
        counting.begin();
        counting.reach(Instant.now());
        assertThat(counting.count(1000).more()).isFalse();
    }

    @Test
    void how_a_job_fares_is_told_by_day() {
        long job = job("a", "* * * * *", "");
        ran(job, "a", "++-+---", 2_000);
        count();

        JsonNode stats = api.get("/jobs/default/a/stats").body();

        assertThat(stats.path("now").path("result").asText()).isEqualTo("FAILED");
        assertThat(stats.path("now").path("streak").asLong()).isEqualTo(3);
        assertThat(stats.path("now").path("lastReason").asText()).isEqualTo("exit code 1");
        assertThat(stats.path("now").path("durationMs").path("p95").asLong()).isBetween(1_940L, 2_060L);
        JsonNode total = stats.path("total");
        assertThat(total.path("runs").asLong()).isEqualTo(7);
        assertThat(total.path("failed").asLong()).isEqualTo(4);
        assertThat(total.path("successPercent").asDouble()).isEqualTo(42.9);
        assertThat(total.path("durationMs").path("max").asLong()).isEqualTo(2_000);
        assertThat(total.path("latenessMs").path("p50").asLong()).isEqualTo(7);
        long runs = 0;
        for (JsonNode day : stats.path("days")) {
            runs += day.path("runs").asLong();
            assertThat(day.path("day").asText()).matches("\\d{4}-\\d\\d-\\d\\d");
        }
        assertThat(runs).isEqualTo(7);
    }

    @Test
    void a_job_that_has_not_run_has_no_result_and_one_that_is_not_there_is_404() {
        job("a", "* * * * *", "");

        JsonNode stats = api.get("/jobs/default/a/stats").body();
        assertThat(stats.path("now").isNull()).isTrue();
        assertThat(stats.path("total").path("successPercent").isNull()).isTrue();
        assertThat(api.get("/jobs/default/b/stats").status()).isEqualTo(404);
    }

    @Test
    void the_overview_tells_what_fails_is_late_waits_and_runs_long() throws Exception {
        api.update(
                "insert into session (id, node, host, boot_id, pid, pid_start, version, labels, capacity, started_at,"
                        + " beat, heartbeat_at, state) values ('s', 'n', 'h', 'b', 1, 1, 'test', '{}', 4, utc_timestamp(3), 1,"
                        + " utc_timestamp(3), 'ALIVE')");
        long failing = job("failing", "@manual", "");
        ran(failing, "failing", "+--", 50);
        long slow = job("slow", "@manual", "");
        ran(slow, "slow", "++++++", 30_000);
        count();
        live(
                slow,
                "EXECUTING",
                "started_at = utc_timestamp(3) - interval 2 minute, session_id = 's', launch_id = 's-1'");
        live(slow, "IDLE", "due_at = null, hold = 'OVERLAP', hold_reason = 'task 7 runs'");
        live(failing, "IDLE", "due_at = utc_timestamp(3) - interval 20 second");

        long nowhere = job("nowhere", "@manual", "");
        live(nowhere, "IDLE", "due_at = null, hold = 'NODE', hold_reason = 'no node matches gpu=yes'");
        api.update("insert into job_day (job_id, day, missed, durations, latenesses) values (" + nowhere
                + ", utc_date(), 106, '', '')");
        live(
                job("soon", "@manual", ""),
                "IDLE",
                "due_at = null, hold = 'NODE', hold_reason = 'no node matches gpu=yes'");

        api.update("insert into task_wait (task_id, stripe, awaited, rank_at)"
                + " select id, stripe, 'selector:1', utc_timestamp(3) from live_task where hold = 'NODE'");

        api.update("update job set created_at = '2020-01-01', updated_at = '2020-01-01' where id = "
                + job("due", "* * * * *", ", \"finishBy\": \"30d\", \"paused\": true"));

        JsonNode overview = Until.is(Duration.ofMinutes(1), "an answer of the database", () -> {
            JsonNode answer = api.get("/overview").body();
            return answer.has("failing") ? answer : null;
        });

        JsonNode fails = overview.path("failing");
        assertThat(fails.path("count").asLong()).isEqualTo(1);
        assertThat(fails.path("items").get(0).path("job").asText()).isEqualTo("failing");
        assertThat(fails.path("items").get(0).path("streak").asLong()).isEqualTo(2);
        assertThat(overview.path("late").path("items").findValuesAsText("job")).containsExactly("failing");
        assertThat(overview.at("/stuck/count").asLong()).isEqualTo(1);
        assertThat(overview.at("/stuck/items/0/job").asText()).isEqualTo("nowhere");
        assertThat(overview.at("/stuck/items/0/missed").asLong()).isEqualTo(106);
        assertThat(overview.at("/stuck/items/0/reason").asText()).isEqualTo("no node matches gpu=yes");
        assertThat(api.get("/jobs?state=STUCK").body().findValuesAsText("name")).containsExactly("nowhere", "soon");
        assertThat(api.get("/jobs?state=FAILING").body().findValuesAsText("name"))
                .containsExactly("failing");
        assertThat(api.get("/jobs?state=NEVER_RAN").body().findValuesAsText("name"))
                .containsExactly("due", "nowhere", "soon");
        assertThat(overview.path("waiting").path("OVERLAP").path("tasks").asLong())
                .isEqualTo(1);
        assertThat(overview.path("waiting").path("OVERLAP").path("example").asText())
                .isEqualTo("task 7 runs");
        JsonNode unfinished = overview.path("unfinished");
        assertThat(unfinished.findValuesAsText("job")).containsExactly("due", "due");
        assertThat(unfinished.get(0).path("marginMs").asLong())
                .as("the last that is late")
                .isBetween(-Duration.ofMinutes(2).toMillis(), 0L);
        assertThat(Duration.ofMillis(unfinished.get(1).path("marginMs").asLong()))
                .as("the last of all")
                .isBetween(Duration.ofDays(29), Duration.ofDays(30));
        assertThat(unfinished.get(1).path("expectedAt").isNull()).isTrue();
        JsonNode runs = overview.path("runningLong").path("items").get(0);
        assertThat(runs.path("job").asText()).isEqualTo("slow");
        assertThat(runs.path("node").asText()).isEqualTo("n");
        assertThat(runs.path("runningMs").asLong()).isBetween(120_000L, 600_000L);
        assertThat(overview.path("nodes").findValuesAsText("node")).containsExactly("n");
        assertThat(overview.path("database").path("state").asText()).isEqualTo("OK");
        assertThat(overview.path("lastVerification").isNull()).isTrue();
        assertThat(overview.path("lastHour")).hasSize(60);
        assertThat(overview.path("lastDay")).hasSize(24);
        long fires = 0;
        for (JsonNode minute : overview.path("lastHour")) {
            fires += minute.path("fires").asLong();
        }
        assertThat(fires).isEqualTo(3 + 6 + 1);
    }

    private static void live(long job, String state, String set) {
        api.update("insert into task (job_id, job_version, stripe, fire_time, attempt, cause, state, due_at) values ("
                + job
                + ", 1, " + job % 64
                + ", utc_timestamp(3), (select n from (select count(*) + 1 as n from live_task) x),"
                + " 'MANUAL', '" + state + "', utc_timestamp(3))");
        api.update("update task set " + set + " where id = " + api.one("select max(id) from task"));
    }

    @Test
    void a_forecast_changes_when_a_job_does() {
        job("a", "* * * * *", "");
        job("b", "@every 30m", "");

        JsonNode day = api.get("/forecast").body();
        assertThat(day.path("jobs").asInt()).isEqualTo(2);
        assertThat(day.path("withoutDuration").asInt()).isEqualTo(2);
        assertThat(starts(day)).isBetween(1440L + 48, 1441L + 48);
        assertThat(day.path("buckets").size()).isBetween(24, 25);
        assertThat(day.path("hotMinutes").get(0).path("mostStarts").findValuesAsText("job"))
                .contains("a", "b");

        api.call("POST", "/jobs/default/a/pause", "");
        assertThat(starts(api.get("/forecast").body())).isBetween(47L, 49L);
        api.call("DELETE", "/jobs/default/b", null);
        assertThat(starts(api.get("/forecast").body())).isZero();
        job("c", "* * * * *", "");
        assertThat(starts(api.get("/forecast?hours=1&by=minute").body())).isBetween(59L, 61L);
        assertThat(starts(api.get("/forecast?namespace=other").body())).isZero();
    }

    private static long starts(JsonNode forecast) {
        long starts = 0;
        for (JsonNode bucket : forecast.path("buckets")) {
            starts += bucket.path("starts").asLong();
        }
        return starts;
    }

    @ParameterizedTest
    @CsvSource({
        "/forecast?hours=0, hours",
        "/forecast?hours=169, hours",
        "/forecast?hours=25&by=minute, hours",
        "/forecast?by=day, by",
        "/forecast?day=1, day",
        "/forecast?namespace=, namespace",
        "/overview?hours=1, hours",
        "/jobs/default/a/stats?days=0, days",
        "/jobs/default/a/stats?from=1, from",
    })
    void what_is_wrong_with_a_request_is_named(String path, String field) {
        job("a", "* * * * *", "");

        Api.Reply reply = api.get(path);

        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.fields()).containsExactly(field);
    }

    @Test
    void a_forecast_for_a_node_that_is_not_there_says_which_are() {
        Api.Reply reply = api.get("/forecast?node=nobody");

        assertThat(reply.status()).isEqualTo(404);
        assertThat(reply.text()).contains("there is no live node nobody");
    }
}
