package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("database")
class ClockEndpointsTest {

    @RegisterExtension
    static final Api API = new Api();

    private static final String JOB = "{\"schedule\": \"* * * * *\", \"command\": \"true\"}";

    @Test
    void a_clock_in_doubt_is_shown_and_can_be_accepted() {
        assertThat(API.get("/cluster").body().path("clockProblem").isNull()).isTrue();
        API.clockProblem = Optional.of("the database's clock leapt ahead");

        assertThat(API.get("/cluster").body().path("clockProblem").asText()).contains("leapt ahead");
        Api.Reply reply = API.post("/cluster/clock/accept", "");
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.body().path("databaseTime").asText()).endsWith("Z");
        assertThat(reply.body().path("warnings")).isEmpty();
        API.clockProblem = Optional.empty();
        assertThat(API.post("/cluster/clock/accept", "")
                        .body()
                        .path("warnings")
                        .get(0)
                        .asText())
                .contains("in no doubt");
    }

    @Test
    void rescheduling_makes_a_new_version_and_needs_a_job() {
        API.put("/jobs/default/j", "{\"schedule\": \"* * * * *\", \"command\": \"true\"}");

        Api.Reply reply = API.post("/jobs/default/j/reschedule", "");

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.body().path("version").asInt()).isEqualTo(2);
        assertThat(reply.body().path("nextFireTime").asText()).isNotEmpty();
        assertThat(API.post("/jobs/default/nobody/reschedule", "").status()).isEqualTo(404);
    }

    @Test
    void by_a_clock_in_doubt_no_job_is_created_changed_or_run() {
        API.put("/jobs/default/j", JOB);
        API.put("/jobs/default/paused", JOB);
        API.post("/jobs/default/paused/pause", "");
        List<String> before = everything();
        API.believe(Duration.ofHours(1));

        for (Api.Reply reply : List.of(
                API.post("/jobs", "{\"name\": \"new\", \"schedule\": \"* * * * *\", \"command\": \"true\"}"),
                API.put("/jobs/default/new", JOB),
                API.put("/jobs/default/j", JOB.replace("true", "false")),
                API.call("PATCH", "/jobs/default/j", "{\"schedule\": \"@hourly\"}"),
                API.post("/jobs/default/j/pause", ""),
                API.post("/jobs/default/j/resume", ""),
                API.post("/jobs/default/paused/resume", ""),
                API.post("/jobs/default/j/reschedule", ""),
                API.post("/jobs/default/j/run", ""),
                API.call("DELETE", "/jobs/default/j", null))) {
            assertThat(reply.status()).as(reply.text()).isEqualTo(503);
            assertThat(reply.body().path("detail").asText())
                    .contains("the database's clock leapt ahead")
                    .contains("POST /api/v1/cluster/clock/accept");
            assertThat(reply.header("Retry-After")).isNotEmpty();
        }

        assertThat(everything()).isEqualTo(before);
        assertThat(API.get("/jobs/default/j").status()).isEqualTo(200);
        API.believe(Duration.ZERO);
        assertThat(API.post("/jobs/default/j/run", "").status()).isEqualTo(202);
    }

    private static List<String> everything() {
        List<String> rows = new ArrayList<>();
        for (String table : List.of("job", "job_version", "task", "job_next", "task_history", "idempotency_key")) {
            rows.addAll(API.rows("select * from " + table));
        }
        return rows;
    }
}
