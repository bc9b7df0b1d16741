package dev.rowlock.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.api.Api;
import dev.rowlock.api.Api.Reply;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Times in a query, as people write them, and what an answer says of them. */
@Tag("database")
class MeantTimesTest {

    private static final String JOB = "/jobs/ops/berlin";
    private static final String SAID = "Rowlock-Times";

    @RegisterExtension
    static final Api api = new Api();

    @BeforeEach
    void job() {
        api.put(JOB, "{\"schedule\": \"0 3 * * *\", \"zone\": \"Europe/Berlin\", \"command\": \"x\"}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /tasks?since=2026-07-01                          | since=2026-07-01T00:00:00.000Z; zone=UTC
            /tasks?since=2026-07-01&zone=Europe/Berlin       | since=2026-06-30T22:00:00.000Z; zone=Europe/Berlin
            /tasks?job=ops/berlin&since=2026-07-01%2003:00   | since=2026-07-01T01:00:00.000Z; zone=Europe/Berlin
            /tasks?job=ops/berlin&since=2026-07-01&zone=UTC  | since=2026-07-01T00:00:00.000Z; zone=UTC
            /audit?until=2026-07-01%2003:00&zone=Asia/Tokyo  | until=2026-06-30T18:00:00.000Z; zone=Asia/Tokyo
            /jobs/ops/berlin/next?from=2027-07-01            | from=2027-06-30T22:00:00.000Z; zone=Europe/Berlin
            /jobs/ops/berlin/explain?at=2026-07-01&zone=UTC  | at=2026-07-01T00:00:00.000Z; zone=UTC
            """)
    void a_time_without_an_offset_is_meant_in_the_zone_that_is_named_or_of_the_job(String path, String said) {
        assertThat(api.get(path).header(SAID)).isEqualTo(said);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /tasks?job=ops/berlin&since=03:00&until=now       | since=.*T0[12]:00:00.000Z; until=.*; zone=Europe/Berlin
            /tasks?since=yesterday%2014:00                    | since=.*T14:00:00.000Z; zone=UTC
            /tasks?since=2h                                   | since=[^;]*Z
            /audit?since=today&until=03:00&zone=Europe/Berlin | since=.*T2[23]:00:00.000Z; until=.*; zone=Europe/Berlin
            /jobs/ops/berlin/next?from=tomorrow               | from=.*T2[23]:00:00.000Z; zone=Europe/Berlin
            /jobs/ops/berlin/next?from=7d                     | from=[^;]*Z
            /jobs/ops/berlin/explain?at=03:00                 | at=.*T0[12]:00:00.000Z; zone=Europe/Berlin
            """)
    void what_depends_on_the_clock_is_taken(String path, String said) {
        Reply reply = api.get(path);

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.header(SAID)).matches(said);
    }

    @Test
    void an_instant_means_itself_and_nothing_is_said_of_it() {
        assertThat(api.get("/tasks?since=2026-07-01T03:00:00%2B02:00").header(SAID))
                .isEmpty();
        assertThat(api.get("/tasks").header(SAID)).isEmpty();
    }

    /** 03:00 in Berlin is 01:00 or 02:00 in UTC: the fire time of the job itself lies before a time ahead, or after. */
    @Test
    void the_rows_of_the_answer_are_those_of_the_instant() {
        api.post(JOB + "/run", "");

        assertThat(api.get("/tasks?job=ops/berlin&since=1h&until=now&zone=Asia/Tokyo")
                        .body()
                        .path("items"))
                .hasSize(1);
        assertThat(api.get("/tasks?job=ops/berlin&until=1h").body().path("items"))
                .isEmpty();
        assertThat(api.get(JOB + "/next?from=2027-01-01&count=1")
                        .body()
                        .at("/fireTimes/0")
                        .asText())
                .isEqualTo("2027-01-01T02:00:00.000Z");
        assertThat(api.get("/audit?since=1h&kind=job").body().path("items")).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "/tasks?since=lately, since",
        "/tasks?until=2026-02-30, until",
        "/tasks?zone=Mars, zone",
        "/audit?since=100000d, since",
        "/audit?zone=, zone",
        "/jobs/ops/berlin/next?from=1969-12-31, from",
        "/jobs/ops/berlin/next?zone=+25:00, zone",
        "/jobs/ops/berlin/explain?at=03:00&zone=nowhere, zone",
        "/jobs/ops/berlin/explain?at=25:00, at"
    })
    void what_is_no_time_or_no_zone_is_refused_by_name(String path, String field) {
        Reply reply = api.get(path);

        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.fields()).containsExactly(field);
    }

    /** In which zone its job is would tell that there is one. */
    @Test
    void of_a_job_that_the_caller_does_not_see_nothing_is_told() {
        String token = api.token("limited", "viewer", "lab");

        Reply reply = api.as(token, "GET", "/tasks?job=ops/berlin&since=2026-07-01", null);

        assertThat(reply.status()).isEqualTo(403);
        assertThat(reply.header(SAID)).doesNotContain("Berlin");
    }
}
