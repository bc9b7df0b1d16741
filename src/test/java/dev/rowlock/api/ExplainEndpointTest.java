package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How explanations are asked for. What they say is told by {@code engine.ExplainTest}. */
@Tag("database")
class ExplainEndpointTest {

    @RegisterExtension
    static final Api api = new Api();

    @Test
    void an_instant_of_a_job_and_a_task_are_explained() {
        api.put("/jobs/ops/backup", "{\"schedule\": \"0 3 * * *\", \"command\": \"true\"}");
        long task = api.post("/jobs/ops/backup/run", "").body().get("id").asLong();

        Api.Reply job = api.get("/jobs/ops/backup/explain?at=2999-01-01T03:00:00Z");
        Api.Reply run = api.get("/tasks/" + task + "/explain");

        assertThat(job.status()).isEqualTo(200);
        assertThat(job.body().get("verdict").asText()).isEqualTo("TO_COME");
        assertThat(job.body().get("at").asText()).isEqualTo("2999-01-01T03:00:00.000Z");
        assertThat(job.body().at("/schedule/asksForIt").asBoolean()).isTrue();
        assertThat(job.body().at("/steps/0/what").asText()).isEqualTo("VERSION");
        assertThat(run.status()).isEqualTo(200);
        assertThat(run.body().get("task").asLong()).isEqualTo(task);
        assertThat(run.body().get("verdict").asText()).isEqualTo("WAITING");
        assertThat(run.body().at("/attempts/0/cause").asText()).isEqualTo("MANUAL");
    }

    @Test
    void who_asked_for_a_run_and_for_its_end_is_named() {
        api.put("/jobs/ops/asked", "{\"schedule\": \"@manual\", \"command\": \"true\"}");
        long task = api.post("/jobs/ops/asked/run", "").body().get("id").asLong();

        JsonNode waiting = api.get("/tasks/" + task + "/explain").body();
        assertThat(waiting.path("summary").asText()).contains(" (asked for by admin) ");
        assertThat(waiting.findValuesAsText("detail")).contains("admin asked for this run");

        api.post("/tasks/" + task + "/kill", "");
        assertThat(api.get("/tasks/" + task + "/explain").body().path("summary").asText())
                .contains(" (asked for by admin) did not run: CANCELLED: ", ". admin asked for its end.");

        long again = api.post("/tasks/rerun", "{\"task\": " + task + "}")
                .body()
                .at("/created/0/id")
                .asLong();
        assertThat(api.get("/tasks/" + again + "/explain")
                        .body()
                        .path("summary")
                        .asText())
                .contains(" (asked for by admin) ");
    }

    @Test
    void whoever_is_not_in_the_audit_is_somebody() {
        api.put("/jobs/ops/forgotten", "{\"schedule\": \"@manual\", \"command\": \"true\"}");
        long task = api.post("/jobs/ops/forgotten/run", "").body().get("id").asLong();
        api.update("delete from audit where name = 'forgotten'");

        assertThat(api.get("/tasks/" + task + "/explain").body().path("summary").asText())
                .contains(" (asked for by somebody) ");

        api.post("/tasks/" + task + "/kill", "");
        assertThat(api.get("/tasks/" + task + "/explain").body().path("summary").asText())
                .as("who stopped it did not ask for it")
                .contains(" (asked for by somebody) did not run: ", ". admin asked for its end.");
    }

    @Test
    void without_a_time_it_is_about_now() {
        api.put("/jobs/ops/backup", "{\"schedule\": \"0 3 1 1 *\", \"command\": \"true\"}");

        Api.Reply reply = api.get("/jobs/ops/backup/explain");

        assertThat(reply.body().get("at")).isEqualTo(reply.body().get("now"));
    }

    @Test
    void what_cannot_be_asked_is_refused_by_name() {
        api.put("/jobs/ops/backup", "{\"schedule\": \"0 3 * * *\", \"command\": \"true\"}");

        assertThat(api.get("/jobs/ops/backup/explain?at=lately").fields()).containsExactly("at");
        assertThat(api.get("/jobs/ops/backup/explain?when=now").status()).isEqualTo(400);
        assertThat(api.get("/jobs/ops/nothing/explain").status()).isEqualTo(404);
        assertThat(api.get("/tasks/4711/explain").status()).isEqualTo(404);
        assertThat(api.post("/tasks/4711/explain", "").status()).isEqualTo(405);
    }

    @ParameterizedTest
    @CsvSource({
        "2999-01-01T03:00:00Z,          2999-01-01T03:00:00.000Z",
        "2999-01-01%2003:00,            2999-01-01T02:00:00.000Z",
        "2999-01-01%2003:00%20%2B00:00, 2999-01-01T03:00:00.000Z",
        "2999-01-01,                    2998-12-31T23:00:00.000Z",
    })
    void a_time_without_an_offset_is_meant_where_the_job_is(String time, String instant) {
        api.put("/jobs/ops/berlin", "{\"schedule\": \"0 3 * * *\", \"zone\": \"Europe/Berlin\", \"command\": \"x\"}");

        assertThat(api.get("/jobs/ops/berlin/explain?at=" + time)
                        .body()
                        .path("at")
                        .asText())
                .isEqualTo(instant);
        assertThat(api.get("/jobs/ops/berlin/explain?at=03:00")
                        .body()
                        .path("at")
                        .asText())
                .matches(".*T0[12]:00:00.000Z");
    }
}
