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

/** Freezes over HTTP: made, listed, changed and ended, by whom, and what is refused. */
@Tag("database")
class FreezeEndpointsTest {

    @RegisterExtension
    static final Api api = new Api();

    @BeforeEach
    void clean() {
        api.update("delete from freeze");
        api.update("delete from audit");
    }

    private static long made(String body) {
        Reply made = api.post("/freezes", body);
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        long id = made.body().path("id").asLong();
        assertThat(made.header("Location")).isEqualTo("/api/v1/freezes/" + id);
        return id;
    }

    @Test
    void one_is_made_read_changed_and_ended_with_a_row_of_the_audit_each() {
        long id = made(
                "{\"namespaces\": [\"shop\"], \"labels\": {\"tier\": \"db\"}, \"for\": \"2h\", \"reason\": \"move\"}");

        JsonNode freeze = api.get("/freezes/" + id).body();
        assertThat(freeze.path("state").asText()).isEqualTo("ACTIVE");
        assertThat(freeze.path("then").asText()).isEqualTo("HOLD");
        assertThat(freeze.path("by").asText()).isEqualTo("admin");
        assertThat(freeze.path("reason").asText()).isEqualTo("move");

        Reply longer = api.call("PATCH", "/freezes/" + id, "{\"until\": \"" + year() + "-12-31T23:00:00Z\"}");
        assertThat(longer.status()).as(longer.text()).isEqualTo(200);
        assertThat(longer.body().path("until").asText()).startsWith(year() + "-12-31T23:00:00");
        assertThat(longer.body().path("reason").asText()).isEqualTo("move");

        assertThat(api.call("DELETE", "/freezes/" + id, null).status()).isEqualTo(204);
        JsonNode over = api.get("/freezes/" + id).body();
        assertThat(over.path("state").asText()).isEqualTo("ENDED");
        assertThat(over.path("endedBy").asText()).isEqualTo("admin");
        assertThat(api.call("DELETE", "/freezes/" + id, null).status()).isEqualTo(204);
        assertThat(api.call("PATCH", "/freezes/" + id, "{\"for\": \"1h\"}").status())
                .isEqualTo(409);
        assertThat(api.one("select group_concat(action order by id) from audit where kind = 'freeze' and name = '" + id
                        + "' and namespace = 'shop'"))
                .isEqualTo("create,patch,delete");
    }

    private static int year() {
        return Integer.parseInt(String.valueOf(api.one("select date_format(utc_timestamp(), '%Y')")));
    }

    @Test
    void those_in_a_state_are_listed_newest_first() {
        long first = made("{\"all\": true, \"for\": \"2h\"}");
        long planned = made("{\"all\": true, \"from\": \"" + (year() + 1) + "-01-01T00:00:00Z\", \"for\": \"1h\"}");
        long last = made("{\"jobs\": [\"a/b\"], \"for\": \"1h\", \"then\": \"SKIP\"}");
        api.call("DELETE", "/freezes/" + first, null);

        assertThat(api.get("/freezes").body().path("items").findValuesAsText("id"))
                .containsExactly("" + last, "" + planned, "" + first);
        assertThat(api.get("/freezes?state=ACTIVE").body().path("items").findValuesAsText("id"))
                .containsExactly("" + last);
        assertThat(api.get("/freezes?state=PLANNED").body().path("items").findValuesAsText("id"))
                .containsExactly("" + planned);
        JsonNode page = api.get("/freezes?limit=2").body();
        assertThat(api.get("/freezes?limit=2&cursor=" + page.path("nextCursor").asText())
                        .body()
                        .path("items")
                        .findValuesAsText("id"))
                .containsExactly("" + first);
        assertThat(api.get("/freezes/999999").status()).isEqualTo(404);
        assertThat(api.get("/freezes/x").status()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}                                                            | until      | a freeze has an end",
                "{\"for\": \"1h\"}                                             | namespaces | name what is frozen",
                "{\"all\": true}                                               | until      | a freeze has an end",
                "{\"all\": true, \"for\": \"0s\"}                              | for        | from 1s to 366d",
                "{\"all\": true, \"for\": \"soon\"}                            | for        | not a duration",
                "{\"all\": true, \"until\": \"2020-01-01T00:00:00Z\"}          | until      | must be later than",
                "{\"all\": true, \"until\": \"2200-01-01T00:00:00Z\"}          | until      | at most 366 days",
                "{\"all\": true, \"from\": \"2199-12-31T00:00:00Z\", \"for\": \"1h\"} | from | at most 366 days ahead",
                "{\"all\": true, \"for\": \"1h\", \"until\": \"2200-01-01T00:00:00Z\"} | for | both say when it ends",
                "{\"all\": true, \"for\": \"1h\", \"jobs\": [\"a/b\"]}         | all        | left out beside",
                "{\"all\": true, \"for\": \"1h\", \"than\": \"SKIP\"}          | than       | then",
                "{\"all\": true, \"for\": \"1h\", \"then\": \"WAIT\"}          | then       | HOLD",
                "{\"jobs\": [\"b\"], \"for\": \"1h\"}                          | jobs[0]    | namespace/name",
                "{\"namespaces\": [\"a\", \"a\"], \"for\": \"1h\"}             | namespaces[1] | twice"
            })
    void what_makes_no_sense_is_refused_by_field_and_changes_nothing(String body, String field, String says) {
        Reply refused = api.post("/freezes", body);

        assertThat(refused.status()).as(refused.text()).isEqualTo(422);
        assertThat(refused.text()).contains("\"field\":\"" + field + "\"").contains(says);
        assertThat(api.one("select count(*) from freeze")).isEqualTo("0");
    }

    @Test
    void a_change_of_nothing_or_to_the_past_is_refused() {
        long id = made("{\"all\": true, \"for\": \"2h\"}");

        assertThat(api.call("PATCH", "/freezes/" + id, "{}").status()).isEqualTo(422);
        assertThat(api.call("PATCH", "/freezes/" + id, "{\"until\": \"2020-01-01T00:00:00Z\"}")
                        .status())
                .isEqualTo(422);
        assertThat(api.call("PATCH", "/freezes/" + id, "{\"all\": false}").status())
                .isEqualTo(422);
    }

    @Test
    void operators_freeze_within_their_namespaces_and_see_what_concerns_them() {
        String own = api.token("own", "operator", "own");
        long all = made("{\"all\": true, \"for\": \"2h\"}");
        long theirs = made("{\"namespaces\": [\"theirs\"], \"for\": \"2h\"}");

        Reply mine = api.as(own, "POST", "/freezes", "{\"namespaces\": [\"own\"], \"for\": \"1h\"}");
        assertThat(mine.status()).as(mine.text()).isEqualTo(201);
        long id = mine.body().path("id").asLong();
        assertThat(api.as(own, "POST", "/freezes", "{\"jobs\": [\"own/j\"], \"for\": \"1h\"}")
                        .status())
                .isEqualTo(201);
        assertThat(api.as(own, "POST", "/freezes", "{\"all\": true, \"for\": \"1h\"}")
                        .status())
                .isEqualTo(403);
        assertThat(api.as(own, "POST", "/freezes", "{\"namespaces\": [\"theirs\"], \"for\": \"1h\"}")
                        .status())
                .isEqualTo(403);
        assertThat(api.as(own, "GET", "/freezes/" + theirs, null).status()).isEqualTo(404);
        assertThat(api.as(own, "GET", "/freezes/" + all, null).status()).isEqualTo(200);
        assertThat(api.as(own, "DELETE", "/freezes/" + all, null).status()).isEqualTo(403);
        assertThat(api.as(own, "PATCH", "/freezes/" + id, "{\"for\": \"3h\"}").status())
                .isEqualTo(200);
        assertThat(api.as(own, "DELETE", "/freezes/" + id, null).status()).isEqualTo(204);
        assertThat(api.as(api.token("see", "viewer"), "DELETE", "/freezes/" + all, null)
                        .status())
                .isEqualTo(403);
    }

    @Test
    void no_more_than_a_hundred_are_open_at_once() {
        for (int i = 0; i < 100; i++) {
            made("{\"jobs\": [\"a/j" + i + "\"], \"for\": \"1h\"}");
        }
        Reply more = api.post("/freezes", "{\"all\": true, \"for\": \"1h\"}");
        assertThat(more.status()).isEqualTo(409);
        assertThat(more.text()).contains("as many as may be");
    }

    @Test
    void the_forecast_tells_what_is_held_and_what_is_skipped() {
        job("frozen/j", "* * * * *");
        long before = starts("frozen");
        made("{\"namespaces\": [\"frozen\"], \"for\": \"2h\"}");
        JsonNode held = api.get("/forecast?namespace=frozen").body();
        assertThat(held.at("/frozen/held").asInt()).isBetween(119, 121);
        assertThat(held.at("/frozen/skipped").asInt()).isZero();
        assertThat(starts("frozen")).as("one of them starts at the end").isBetween(before - 120, before - 118);

        made("{\"namespaces\": [\"frozen\"], \"for\": \"1h\", \"then\": \"SKIP\"}");
        JsonNode both = api.get("/forecast?namespace=frozen").body();
        assertThat(both.at("/frozen/held").asInt()).isBetween(59, 61);
        assertThat(both.at("/frozen/skipped").asInt()).as("skipping wins").isBetween(59, 61);
        api.call("DELETE", "/jobs/frozen/j", null);
    }

    @Test
    void a_plan_tells_which_fire_times_a_freeze_would_cover() {
        JsonNode change = api.post(
                        "/plan",
                        "{\"jobs\": [{\"namespace\": \"iced\", \"name\": \"j\", \"command\": \"true\","
                                + " \"schedule\": \"0 * * * *\", \"zone\": \"UTC\"}],"
                                + " \"freeze\": {\"from\": \"2090-01-01T00:30:00Z\", \"until\": \"2090-01-01T04:00:00Z\"}}")
                .body()
                .at("/changes/0");

        assertThat(change.at("/frozen/first").asText()).isEqualTo("2090-01-01T01:00:00.000Z");
        assertThat(change.at("/frozen/last").asText()).isEqualTo("2090-01-01T03:00:00.000Z");
        assertThat(change.at("/frozen/count").asInt()).isEqualTo(3);
        assertThat(api.one("select count(*) from freeze")).isEqualTo("0");
    }

    private static void job(String key, String schedule) {
        Reply put = api.call("PUT", "/jobs/" + key, "{\"command\": \"true\", \"schedule\": \"" + schedule + "\"}");
        assertThat(put.status()).as(put.text()).isEqualTo(201);
    }

    private static long starts(String namespace) {
        long starts = 0;
        for (JsonNode bucket :
                api.get("/forecast?namespace=" + namespace).body().path("buckets")) {
            starts += bucket.path("starts").asLong();
        }
        return starts;
    }

    @Test
    void one_that_is_over_changes_no_forecast() {
        job("over/j", "* * * * *");
        long before = starts("over");
        long id = made("{\"namespaces\": [\"over\"], \"for\": \"2h\"}");
        api.call("DELETE", "/freezes/" + id, null);
        assertThat(starts("over")).isBetween(before - 1, before + 1);
        api.call("DELETE", "/jobs/over/j", null);
    }
}
