package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.api.Api.Reply;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who can do with an answer that is some seconds old gets what others got; nobody else is concerned. */
@Tag("database")
class SharedAnswersTest {

    @RegisterExtension
    static final Api api = new Api();

    private static Reply get(String path, String cacheControl) {
        return get(path, cacheControl, Api.TOKEN);
    }

    private static Reply get(String path, String cacheControl, String token) {
        List<String> headers = List.of("Cache-Control", cacheControl, "Authorization", "Bearer " + token);
        return api.raw("GET", "/api/v1" + path, null, headers);
    }

    private static void job(String name, String description) {
        api.put(
                "/jobs/default/" + name,
                "{\"schedule\": \"@manual\", \"command\": \"true\", \"description\": \"" + description + "\"}");
    }

    @Test
    void an_old_answer_is_given_to_who_can_do_with_it_and_to_nobody_else() {
        job("shared", "before");
        Reply first = get("/jobs?q=shared", "max-age=60");
        job("shared", "after");

        Reply second = get("/jobs?q=shared", "max-age=60");
        assertThat(second.text()).isEqualTo(first.text()).contains("before");
        assertThat(second.header("Age")).matches("[0-9]+");
        assertThat(api.get("/jobs?q=shared").text()).contains("after");
        assertThat(get("/jobs?q=shared", "no-cache").text()).contains("after");
        assertThat(get("/jobs?q=shared&limit=7", "max-age=60").text()).contains("after");
    }

    @Test
    void who_asks_again_is_told_when() {
        job("again", "");
        assertThat(get("/jobs/default/again", "max-age=5").header("Rowlock-Refresh-After"))
                .satisfies(seconds -> assertThat(Integer.parseInt(seconds)).isBetween(4, 60));
        assertThat(api.get("/jobs/default/again").header("Rowlock-Refresh-After"))
                .isEmpty();
    }

    @Test
    void the_version_of_a_job_comes_with_it() {
        job("tagged", "one");
        Reply first = get("/jobs/default/tagged", "max-age=60");
        Reply second = get("/jobs/default/tagged", "max-age=60");

        assertThat(second.header("ETag")).isEqualTo(first.header("ETag")).isEqualTo("\"1\"");
    }

    @Test
    void who_sees_other_namespaces_gets_an_answer_of_their_own() {
        job("everybody", "");
        api.put("/jobs/theirs/everybody-too", "{\"schedule\": \"@manual\", \"command\": \"true\"}");
        assertThat(get("/jobs?q=everybody", "max-age=60").body().path("items")).hasSize(2);
        String token = api.post("/tokens", "{\"name\": \"theirs\", \"role\": \"viewer\", \"namespaces\": [\"theirs\"]}")
                .body()
                .path("token")
                .asText();

        Reply own = get("/jobs?q=everybody", "max-age=60", token);

        assertThat(own.body().path("items")).hasSize(1);
        assertThat(own.text()).contains("everybody-too");
    }

    @Test
    void a_refusal_is_not_shared() {
        assertThat(get("/jobs/default/yet-to-come", "max-age=60").status()).isEqualTo(404);
        job("yet-to-come", "");
        assertThat(get("/jobs/default/yet-to-come", "max-age=60").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"max-age=0", "max-age=61", "max-age=-1", "max-age=5x", "no-store"})
    void anything_else_asks_for_an_answer_of_now(String cacheControl) {
        job("now", "before");
        assertThat(get("/jobs/default/now", "max-age=60").status()).isEqualTo(200);
        job("now", "after " + cacheControl);
        assertThat(get("/jobs/default/now", cacheControl).text()).contains("after " + cacheControl);
    }
}
