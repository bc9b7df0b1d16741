package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.api.Api.Reply;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code POST /jobs/pause} and {@code /jobs/resume}: all jobs that match. */
@Tag("database")
class ManyPausesTest {

    private static final String SOON = "2126-01-01T06:00:00.000Z";
    private static final String LATER = "2127-01-01T06:00:00.000Z";

    @RegisterExtension
    static final Api api = new Api();

    @AfterEach
    void believe() {
        api.believe(Duration.ZERO);
    }

    @Test
    void those_that_match_all_that_is_given_are_paused_and_resumed() {
        create("ops", "backup", "db");
        create("ops", "report", "web");
        create("dev", "backup", "db");
        int wakes = api.wakes();

        Reply paused = api.post(
                "/jobs/pause",
                "{\"namespace\": \"ops\", \"labels\": {\"team\": \"db\"}, \"q\": \"BACK\", \"until\": \"" + SOON
                        + "\", \"reason\": \"new disks\"}");

        is(paused, 1, 1, 0);
        assertThat(api.wakes()).isGreaterThan(wakes);
        assertThat(api.rows("select namespace, name, paused, pause_reason from job order by id"))
                .containsExactly("ops backup 1 new disks", "ops report 0 null", "dev backup 0 null");
        is(api.post("/jobs/pause", "{\"labels\": {\"team\": \"db\"}}"), 2, 2, 0);
        is(api.post("/jobs/resume", "{\"q\": \"backup\"}"), 2, 2, 0);
        is(api.post("/jobs/resume", "{\"q\": \"backup\"}"), 2, 0, 0);
        assertThat(api.rows("select distinct paused, paused_until from job")).containsExactly("0 null");
        assertThat(api.rows("select hold from live_task where hold is not null"))
                .isEmpty();
    }

    @Test
    void what_is_paused_for_at_least_as_long_stays_as_it_is() {
        create("ops", "short", "db");
        create("ops", "long", "db");
        create("ops", "broken", "db");
        api.post("/jobs/ops/short/pause", "{\"until\": \"" + SOON + "\"}");
        api.post("/jobs/ops/long/pause", "{\"until\": \"" + LATER + "\", \"reason\": \"long\"}");
        api.post("/jobs/ops/broken/pause", "{\"reason\": \"broken\"}");

        is(api.post("/jobs/pause", "{\"namespace\": \"ops\", \"until\": \"2126-06-01T00:00:00Z\"}"), 3, 1, 0);

        assertThat(api.rows("select name, date(paused_until), pause_reason from job order by id"))
                .containsExactly("short 2126-06-01 null", "long 2127-01-01 long", "broken null broken");
        is(api.post("/jobs/pause", "{\"namespace\": \"ops\", \"reason\": \"all\"}"), 3, 2, 0);
        assertThat(api.rows("select name, pause_reason from job order by id"))
                .containsExactly("short all", "long all", "broken broken");
    }

    @Tag("slow")
    @Test
    void three_pages_are_changed_with_a_transaction_for_some_of_them_each() {
        for (int i = 0; i < 1_001; i++) {
            create("many", "j" + i, "db");
        }
        create("other", "j", "db");

        is(api.post("/jobs/pause", "{\"namespace\": \"many\"}"), 1_001, 1_001, 0);

        // All that one transaction changes takes effect at the same instant.
        assertThat(api.rows("select count(distinct valid_from) <= 22 from job_version where paused"))
                .containsExactly("1");

        assertThat(api.rows("select namespace, paused, count(*) from job group by namespace, paused"))
                .containsExactlyInAnyOrder("many 1 1001", "other 0 1");
        is(api.post("/jobs/resume", "{\"q\": \"j\"}"), 1_002, 1_001, 0);
    }

    @Test
    void what_cannot_be_changed_is_counted_and_named_and_the_others_are_changed() {
        create("ops", "a", "db");
        create("ops", "b", "db");
        create("ops", "c", "db");
        api.post("/jobs/pause", "{\"namespace\": \"ops\"}");
        api.update("update job set definition = json_set(definition, '$.calendar', 'holidays') where name = 'b'");

        Reply resumed = api.post("/jobs/resume", "{\"namespace\": \"ops\"}");

        is(resumed, 3, 2, 1);
        assertThat(resumed.body().path("failures").get(0).path("job").asText()).isEqualTo("ops/b");
        assertThat(resumed.body().path("failures").get(0).path("problem").asText())
                .contains("does not understand");
        assertThat(api.rows("select name from job where paused")).containsExactly("b");
    }

    @Test
    void what_matches_nothing_says_so() {
        Reply reply = api.post("/jobs/pause", "{\"namespace\": \"nobody\"}");
        is(reply, 0, 0, 0);
        assertThat(reply.body().path("warnings").get(0).asText()).contains("no job matches");
    }

    @Test
    void nothing_is_changed_by_a_clock_in_doubt() {
        create("ops", "a", "db");
        api.believe(Duration.ofHours(1));
        assertThat(api.post("/jobs/pause", "{\"namespace\": \"ops\"}").status()).isEqualTo(503);
        assertThat(api.rows("select paused from job")).containsExactly("0");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            pause  | ``                                               | namespace | is required unless labels or q
            pause  | {}                                               | namespace | every job there is
            resume | {}                                               | namespace | {"labels": {"team": "ops"}}
            pause  | {"labels": {}, "q": ""}                          | namespace | is required
            pause  | {"reason": "x", "until": "2126-01-01T00:00:00Z"} | namespace | is required
            pause  | {"namespace": "a b"}                             | namespace | must be 1 to 64
            pause  | {"labels": {"a b": "x"}}                         | labels.a b | a label's name
            pause  | {"labels": ["a=b"]}                              | labels    | must be an object
            pause  | {"namespace": "ops", "until": "2020-01-01T00:00:00Z"} | until | must lie ahead
            resume | {"namespace": "ops", "reason": "x"}              | reason    | is not a field
            pause  | {"name": "x", "namespace": "ops"}                | name      | is not a field
            """)
    void what_is_wrong_is_named_and_nothing_is_changed(String what, String body, String field, String message) {
        create("ops", "a", "db");
        Reply reply = api.post("/jobs/" + what, body);
        assertThat(reply.status()).as(reply.text()).isEqualTo(422);
        assertThat(reply.fields()).containsExactly(field);
        assertThat(reply.body().path("errors").get(0).path("message").asText()).contains(message);
        assertThat(api.rows("select version from job")).containsExactly("1");
    }

    private static void is(Reply reply, int matched, int changed, int failed) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        assertThat(reply.body().path("matched").asInt()).as(reply.text()).isEqualTo(matched);
        assertThat(reply.body().path("changed").asInt()).as(reply.text()).isEqualTo(changed);
        assertThat(reply.body().path("failed").asInt()).as(reply.text()).isEqualTo(failed);
        assertThat(reply.body().path("failures")).hasSize(failed);
        assertThat(reply.body().path("stopped").isNull()).isTrue();
    }

    private static void create(String namespace, String name, String team) {
        assertThat(api.put(
                                "/jobs/" + namespace + "/" + name,
                                "{\"schedule\": \"0 3 * * *\", \"command\": \"true\", \"labels\": {\"team\": \"" + team
                                        + "\"}}")
                        .status())
                .isEqualTo(201);
    }
}
