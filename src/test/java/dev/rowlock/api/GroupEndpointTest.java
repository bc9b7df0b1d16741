package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.api.Api.Reply;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("database")
class GroupEndpointTest {

    private static final String LONG_AGO = "2020-01-01T00:00:00.000Z";

    @RegisterExtension
    static final Api api = new Api();

    @Test
    void a_patch_changes_what_it_names_and_keeps_the_rest() {
        api.put("/groups/reports", "{\"limit\": 2, \"description\": \"the warehouse\"}");

        JsonNode limited = patch("{\"limit\": 0}").body();
        assertThat(limited.path("limit").asInt(-1)).isZero();
        assertThat(limited.path("description").asText()).isEqualTo("the warehouse");

        JsonNode described = patch("{\"description\": null}").body();
        assertThat(described.path("limit").asInt(-1)).isZero();
        assertThat(described.path("description").asText("?")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {"limit": null}   | limit
            {"limit": -1}     | limit
            {"slots": 1}      | slots
            """)
    void a_patch_that_is_not_acceptable_changes_nothing(String body, String field) {
        api.put("/groups/reports", "{\"limit\": 2}");

        Reply reply = patch(body);

        assertThat(reply.status()).as(reply.text()).isEqualTo(422);
        assertThat(reply.fields()).containsExactly(field);
        assertThat(api.get("/groups/reports").body().path("limit").asInt()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {}                                 | limit       | is required: how many of its tasks may execute at once
            {"limit": -1}                      | limit       | must be a whole number from 0 to 100000
            {"limit": 100001}                  | limit       | must be a whole number from 0 to 100000
            {"limit": "4"}                     | limit       | must be a whole number from 0 to 100000
            {"limit": 1.5}                     | limit       | must be a whole number from 0 to 100000
            {"limit": 1, "description": 5}     | description | must be a string, not a number
            {"limit": 1, "slots": 5}           | slots       | is not a field of a group; there are limit, description
            """)
    void a_group_that_is_not_acceptable_is_not_made(String body, String field, String message) {
        Reply reply = api.put("/groups/reports", body);

        assertThat(reply.status()).as(reply.text()).isEqualTo(422);
        assertThat(reply.fields()).containsExactly(field);
        assertThat(reply.body().path("errors").get(0).path("message").asText()).isEqualTo(message);
        assertThat(api.get("/groups/reports").status()).isEqualTo(404);
    }

    @Test
    void a_job_cannot_name_a_group_that_is_not_there() {
        String job = "{\"schedule\": \"@manual\", \"command\": \"true\"";
        api.put("/jobs/default/j", job + "}");

        for (Reply reply : List.of(
                api.put("/jobs/default/k", job + ", \"group\": \"nowhere\"}"),
                api.call("PATCH", "/jobs/default/j", "{\"group\": \"nowhere\"}"))) {
            assertThat(reply.status()).as(reply.text()).isEqualTo(422);
            assertThat(reply.fields()).containsExactly("group");
            assertThat(reply.text()).contains("there is no group 'nowhere'; create it with PUT /api/v1/groups/nowhere");
        }
        assertThat(api.get("/jobs/default/k").status()).isEqualTo(404);
        assertThat(api.get("/jobs/default/j").body().path("group").isNull()).isTrue();
    }

    @Test
    void a_patch_of_a_group_that_is_not_there_makes_none() {
        assertThat(patch("{\"limit\": 1}").status()).isEqualTo(404);
        assertThat(api.get("/groups/reports").status()).isEqualTo(404);
    }

    @Test
    void a_group_says_when_it_was_changed_last() {
        api.put("/groups/reports", "{\"limit\": 2}");
        api.update("update job_group set updated_at = '2020-01-01'");

        api.put("/groups/reports", "{\"limit\": 2}");
        assertThat(updatedAt()).isEqualTo(LONG_AGO);

        api.put("/groups/reports", "{\"limit\": 3}");
        assertThat(updatedAt()).isGreaterThan(LONG_AGO);
    }

    private static String updatedAt() {
        return api.get("/groups/reports").body().path("updatedAt").asText();
    }

    private static Reply patch(String body) {
        return api.call("PATCH", "/groups/reports", body);
    }
}
