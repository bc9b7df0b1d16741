package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.api.Api.Reply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
