package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.api.Api.Reply;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a saved job warns of. */
@Tag("database")
class JobWarningsTest {

    @RegisterExtension
    static final Api api = new Api();

    private static List<String> warnings(String schedule, String more) {
        Reply saved = api.put(
                "/jobs/default/slow",
                "{\"schedule\": \"" + schedule + "\", \"command\": \"sleep 90\"" + more + ", \"description\": \""
                        + schedule + more.replace('"', ' ') + "\"}");
        assertThat(saved.status()).isBetween(200, 201);
        List<String> warnings = new ArrayList<>();
        saved.body().path("warnings").forEach(warning -> warnings.add(warning.asText()));
        return warnings;
    }

    @Test
    void line_ends_of_windows_are_pointed_out() {
        Reply saved =
                api.put("/jobs/default/windows", "{\"schedule\": \"@manual\", \"command\": \"cd /tmp\\r\\necho x\"}");

        assertThat(saved.body().path("warnings").toString()).contains("command has line ends of Windows (CR LF)");
    }

    /** Runs of the job, the newest last, that took so many seconds. */
    private static void ran(String outcome, int... seconds) {
        for (int s : seconds) {
            api.update("insert into task_history (id, job_id, namespace, job, job_version, fire_time, origin, attempt,"
                    + " cause, outcome, ended_at, duration_ms, last_fire_time) select coalesce(max(id), 0) +"
                    + " 1, 1, 'default', 'slow', 1, '2026-01-01' + interval coalesce(max(id), 0) + 1 day, '',"
                    + " 1, 'SCHEDULE', '" + outcome
                    + "', '2026-01-01', "
                    + s * 1000 + ", '2026-01-01' from task_history");
        }
    }

    @Test
    void nothing_is_said_of_a_job_that_never_ran_or_has_time_enough() {
        assertThat(warnings("* * * * *", "")).isEmpty();
        ran("SUCCEEDED", 59, 59, 59);
        assertThat(warnings("@every 1m", "")).isEmpty();
    }

    @Test
    void a_schedule_that_comes_more_often_than_the_command_takes_is_pointed_out() {
        ran("SUCCEEDED", 5, 90, 95, 100, 2000);

        assertThat(warnings("* * * * *", ""))
                .singleElement()
                .asString()
                .startsWith("the command usually takes 1m35s, but ")
                .contains("comes only 1m after")
                .endsWith("what comes while it runs is skipped (overlap SKIP)");
        assertThat(warnings("0,1 3 * * *", "")).singleElement().asString().contains("T03:01:00Z comes only 1m after");
        assertThat(warnings("*/2 * * * *", "")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            "overlap": "QUEUE"                      | waits, and is skipped if 100 wait already (overlap QUEUE)
            "overlap": "QUEUE", "overlapLimit": 3   | waits, and is skipped if 3 wait already (overlap QUEUE)
            "overlap": "ALLOW"                      | side by side, as many as there are slots (overlap ALLOW)
            "overlap": "ALLOW", "overlapLimit": 3   | what comes while 3 run is skipped (overlap ALLOW)
            "overlap": "REPLACE"                    | killed by the next one, and few come to their end (overlap REPLACE)
            """)
    void the_warning_goes_by_the_overlap_of_the_job(String more, String end) {
        ran("SUCCEEDED", 90, 90, 90);

        assertThat(warnings("* * * * *", ", " + more))
                .singleElement()
                .asString()
                .endsWith(end);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            "maxPerNode": 1                                       | maxPerNode has no effect: with overlap SKIP
            "misfireThreshold": "10m", "startDeadline": "5m"      | misfireThreshold has no effect
            "limits": {"processes": 5}, "user": "root"            | limits.processes has no effect
            """)
    void what_has_no_effect_is_pointed_out(String more, String beginning) {
        assertThat(warnings("0 3 1 1 *", ", " + more))
                .singleElement()
                .asString()
                .startsWith(beginning);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            "misfire": "SKIP"                        | misfire has no effect: a job that is @manual has no fire times
            "startAt": "2030-01-01T00:00:00Z"        | startAt has no effect: a job that is @manual has no fire times
            "endAt": "2030-01-01T00:00:00Z"          | endAt has no effect: a job that is @manual has no fire times
            """)
    void what_says_when_is_pointed_out_where_there_is_no_schedule(String more, String warning) {
        assertThat(warnings("@manual", ", " + more)).containsExactly(warning);
    }

    @Test
    void a_selector_that_no_node_matches_now_is_pointed_out_and_saved() {
        node("web-1", "{}");
        String nobody = "nodes: no node that takes work matches role=db; alive: web-1; what is due waits until one does"
                + " (hold NODE)";
        assertThat(warnings("0 3 * * *", ", \"nodes\": \"role=db\"")).containsExactly(nobody);

        node("db-1", "{\"role\": \"db\"}");
        assertThat(warnings("0 4 * * *", ", \"nodes\": \"role=db\"")).isEmpty();
    }

    @Test
    void a_user_whom_the_node_that_answers_does_not_know_is_pointed_out_where_it_may_run() {
        node("node-a", "{\"role\": \"web\"}");
        node("db-1", "{\"role\": \"db\"}");
        String unknown = "user: no-such-user is unknown on this node, node-a, and the job fails where it is; create the"
                + " user on each node that the job may run on";

        assertThat(warnings("0 3 * * *", ", \"user\": \"no-such-user\"")).containsExactly(unknown);
        assertThat(warnings("0 3 * * *", ", \"user\": \"no-such-user\", \"nodes\": \"role=db\""))
                .isEmpty();
        assertThat(warnings("0 3 * * *", ", \"user\": \"root\"")).isEmpty();
        assertThat(warnings("0 3 * * *", ", \"user\": 4711")).isEmpty();
        Reply plan = api.post(
                "/plan",
                "{\"jobs\": [{\"name\": \"a\", \"schedule\": \"0 3 * * *\", \"command\": \"x\","
                        + " \"user\": \"no-such-user\"}]}");
        assertThat(plan.body().findPath("warnings").toString()).contains(unknown);
    }

    private static void node(String name, String labels) {
        api.update("insert into session (id, node, host, boot_id, pid, pid_start, version, labels, capacity,"
                + " started_at, heartbeat_at, beat, state) values ('" + name + "', '" + name
                + "', 'h', 'b', 1, 1, 'v', '"
                + labels + "', 5, utc_timestamp(3), utc_timestamp(3), 1, 'ALIVE')");
    }

    @Test
    void runs_that_did_not_end_by_themselves_say_nothing_about_the_usual_duration() {
        ran("SUCCEEDED", 10);
        ran("TIMED_OUT", 90, 90, 90);

        assertThat(warnings("* * * * *", "")).isEmpty();
    }
}
