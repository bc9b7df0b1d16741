package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.api.Api.Reply;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("database")
class BackfillEndpointTest {

    private static final String DAY = "\"from\": \"2026-03-01T00:00:00Z\", \"until\": \"2026-03-02T00:00:00Z\"";

    @RegisterExtension
    static final Api api = new Api();

    @BeforeEach
    void job() {
        api.put("/jobs/ops/report", "{\"schedule\": \"0 * * * *\", \"command\": \"true\"}");
    }

    private static Reply ask(String fields) {
        return api.post("/jobs/ops/report/backfill", "{" + fields + "}");
    }

    @Test
    void it_is_made_shown_listed_and_cancelled() {
        Reply made = ask(DAY + ", \"parallel\": 3, \"priority\": 7");
        assertThat(made.status()).as(made.text()).isEqualTo(202);
        assertThat(made.body().path("toRun").asInt()).isEqualTo(24);
        String at = made.header("Location");
        assertThat(at).isEqualTo("/api/v1/backfills/" + made.body().path("id").asLong());

        JsonNode shown = api.get(at.substring("/api/v1".length())).body();
        assertThat(shown.toString())
                .contains("\"job\":\"report\"", "\"state\":\"RUNNING\"", "\"parallel\":3", "\"priority\":7")
                .contains("\"fireTimes\":24", "\"waiting\":24", "\"nextFireTime\":\"2026-03-01T00:00:00.000Z\"");
        assertThat(api.get("/backfills?job=ops/report").body().path("items").get(0))
                .isEqualTo(shown);
        assertThat(api.get("/backfills?namespace=other").body().path("items")).isEmpty();

        Reply cancelled = api.call("DELETE", at.substring("/api/v1".length()), null);
        assertThat(cancelled.status()).as(cancelled.text()).isEqualTo(200);
        assertThat(cancelled.body().path("state").asText()).isEqualTo("CANCELLED");
        assertThat(cancelled.body().path("outcomes").path("CANCELLED").asInt()).isEqualTo(24);
        assertThat(api.get("/tasks?cause=BACKFILL&limit=1000").body().path("items"))
                .hasSize(24);
        assertThat(api.get("/audit?action=backfill").body().path("items")).hasSize(1);
        assertThat(api.get("/audit?action=cancel").body().path("items")).hasSize(1);
    }

    @Test
    void a_page_of_them_says_where_the_next_one_begins() {
        for (int i = 0; i < 3; i++) {
            ask(DAY + ", \"only\": \"ALL\"");
        }
        JsonNode first = api.get("/backfills?limit=2").body();
        assertThat(first.path("items")).hasSize(2);
        JsonNode rest = api.get(
                        "/backfills?limit=2&cursor=" + first.path("nextCursor").asText())
                .body();
        assertThat(rest.path("items")).hasSize(1);
        assertThat(rest.path("nextCursor").isNull()).isTrue();
        assertThat(rest.path("items").get(0).path("id").asLong())
                .isLessThan(first.path("items").get(1).path("id").asLong());
    }

    @Test
    void a_dry_run_makes_nothing_and_a_period_without_fire_times_neither() {
        Reply dry = ask(DAY + ", \"dryRun\": true");
        assertThat(dry.status()).isEqualTo(200);
        assertThat(dry.body().path("id").isNull()).isTrue();
        Reply none = ask("\"from\": \"2026-03-01T00:10:00Z\", \"until\": \"2026-03-01T00:20:00Z\"");
        assertThat(none.status()).isEqualTo(200);
        assertThat(none.body().path("warnings").get(0).asText()).contains("no fire time");
        assertThat(api.get("/backfills").body().path("items")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            "until": "2026-03-02T00:00:00Z"                                     | from     | is required
            "from": "yesterday"                                                 | from     | time
            "from": "2026-03-02T00:00:00Z", "until": "2026-03-02T00:00:00Z"     | until    | must lie after from
            "from": "2026-03-02T00:00:00Z", "until": "2999-01-01T00:00:00Z"     | until    | must not lie after now
            "from": "1990-03-02T00:00:00Z"                                      | until    | fire times in this period
            "from": "2026-03-02T00:00:00Z", "parallel": 0                       | parallel | 1 to 1000
            "from": "2026-03-02T00:00:00Z", "priority": 101                     | priority | -100 to 100
            "from": "2026-03-02T00:00:00Z", "order": "LATEST"                   | order    | OLDEST_FIRST
            "from": "2026-03-02T00:00:00Z", "since": "2026-03-02T00:00:00Z"     | since    | is not a field
            """)
    void bad_input_is_refused_with_its_field(String fields, String field, String message) {
        Reply reply = ask(fields);
        assertThat(reply.status()).as(reply.text()).isEqualTo(422);
        assertThat(reply.fields()).containsExactly(field);
        assertThat(reply.text()).contains(message);
        assertThat(api.get("/backfills").body().path("items")).isEmpty();
    }

    @Test
    void what_others_have_is_not_there() {
        long id = ask(DAY).body().path("id").asLong();
        String own = api.token("own", "operator", "own");
        assertThat(api.as(own, "GET", "/backfills/" + id, null).status()).isEqualTo(404);
        assertThat(api.as(own, "DELETE", "/backfills/" + id, null).status()).isEqualTo(404);
        assertThat(api.as(own, "GET", "/backfills", null).body().path("items")).isEmpty();
        assertThat(api.as(own, "POST", "/jobs/ops/report/backfill", "{" + DAY + "}")
                        .status())
                .isEqualTo(403);
    }
}
