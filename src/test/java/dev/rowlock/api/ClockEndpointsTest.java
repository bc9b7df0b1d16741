package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ClockEndpointsTest {

    @RegisterExtension
    static final Api API = new Api();

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
}
