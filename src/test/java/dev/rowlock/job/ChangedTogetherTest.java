package dev.rowlock.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.access.Caller;
import dev.rowlock.access.Role;
import dev.rowlock.calendar.CalendarStore;
import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.Servers;
import dev.rowlock.definition.JobKey;
import dev.rowlock.field.InvalidDefinition;
import dev.rowlock.http.Precondition;
import dev.rowlock.job.calendar.Calendars;
import dev.rowlock.job.plan.Plans;
import dev.rowlock.job.store.JobQueries;
import dev.rowlock.job.store.JobStore;
import dev.rowlock.job.store.ManyJobs;
import dev.rowlock.support.Numbers;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TcpRelay;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jobs that a plan changes together become what they would become one by one, with few statements for all of them. */
@Tag("database")
class ChangedTogetherTest {

    private static final Caller SOMEBODY = new Caller("kim", Role.ADMIN, Set.of(), "192.0.2.7", "request-1");
    private static final String RUNS = "\"command\": \"true\", \"schedule\": ";

    /** A minute of the day that does not come while this runs. */
    private final String inTwelveHours =
            "0 " + LocalTime.now(ZoneOffset.UTC).plusHours(12).getHour() + " * * *";

    private final String inThirteenHours =
            "30 " + LocalTime.now(ZoneOffset.UTC).plusHours(13).getHour() + " * * *";

    @RegisterExtension
    final TestDatabase server = new TestDatabase();

    private TcpRelay relay;
    private Database database;
    private Rows rows;
    private Plans plans;
    private Jobs jobs;

    @BeforeEach
    void open() throws IOException {
        relay = TcpRelay.to(server.address());
        database = Database.pooled(
                new Servers(new DatabaseAddress(server.urlThrough(relay.port()), server.user(), server.password())),
                2,
                Duration.ofSeconds(20));
        rows = new Rows(server);
        JobQueries queries = new JobQueries(database);
        plans = new Plans(new ManyJobs(database, null), queries, "UTC", () -> {}, CommandUsers.ANY, calendars(database))
                .by(SOMEBODY);
        jobs = new Jobs(new JobStore(database), queries, () -> {}).by(SOMEBODY);
        rows.run("insert into job_group (name, slots, created_at, updated_at) values ('g', 2, utc_timestamp(3),"
                + " utc_timestamp(3))");
    }

    @AfterEach
    void close() throws IOException {
        database.close();
        relay.close();
    }

    /** By name: as it is made, and as it is changed; null: it is deleted. */
    private Map<String, @Nullable String[]> edits() {
        String plain = RUNS + "\"" + inTwelveHours + "\"";
        String later = RUNS + "\"" + inThirteenHours + "\"";
        Map<String, @Nullable String[]> edits = new LinkedHashMap<>();
        edits.put("same", new String[] {plain, plain});
        edits.put("command", new String[] {plain, plain.replace("true", "false")});
        edits.put("command-prepared", new String[] {plain, plain.replace("true", "false")});
        edits.put("schedule", new String[] {plain, later});
        edits.put("schedule-prepared", new String[] {plain, later});
        edits.put("schedule-overdue", new String[] {plain, later});
        edits.put(
                "overdue-asked-for",
                new String[] {plain, RUNS + "\"" + inTwelveHours.replaceFirst("^0 ", "0,30 ") + "\""});
        edits.put("schedule-executing", new String[] {plain, later});
        edits.put("schedule-settled", new String[] {plain, later});
        edits.put("to-manual", new String[] {plain, RUNS + "\"@manual\""});
        edits.put("from-manual", new String[] {RUNS + "\"@manual\"", plain});
        edits.put("jitter", new String[] {plain, plain + ", \"jitter\": \"1h\""});
        edits.put("priority-group", new String[] {plain, plain + ", \"priority\": 7, \"group\": \"g\""});
        edits.put("nodes", new String[] {plain + ", \"nodes\": \"a=b\"", plain + ", \"nodes\": \"c=d\""});
        edits.put("no-nodes", new String[] {plain + ", \"nodes\": \"a=b\"", plain});
        edits.put("runs-over", new String[] {plain, plain + ", \"maxRuns\": 3"});
        edits.put("runs-left", new String[] {plain, plain + ", \"maxRuns\": 30"});
        edits.put("paused", new String[] {plain, plain + ", \"paused\": true"});
        edits.put("resumed-overdue", new String[] {plain + ", \"paused\": true", plain + ", \"paused\": false"});
        edits.put("resumed-ahead", new String[] {plain + ", \"paused\": true", plain + ", \"paused\": false"});
        edits.put("held", new String[] {plain, plain + ", \"description\": \"x\""});
        edits.put("aside", new String[] {plain, plain + ", \"description\": \"x\""});
        edits.put("gone", new String[] {plain, null});
        edits.put("gone-overdue", new String[] {plain, null});
        edits.put("gone-executing", new String[] {plain, null});
        edits.put("gone-runs", new String[] {plain, null});
        return edits;
    }

    private static ObjectNode json(String text) {
        try {
            return (ObjectNode) new ObjectMapper().readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    private ObjectNode request(String namespace, int place, boolean prune) {
        return json(edits().entrySet().stream()
                .filter(edit -> edit.getValue()[place] != null)
                .map(edit -> "{\"namespace\": \"" + namespace + "\", \"name\": \"" + edit.getKey() + "\", "
                        + edit.getValue()[place] + "}")
                .collect(Collectors.joining(
                        ", ",
                        "{\"jobs\": [",
                        "]" + (prune ? ", \"prune\": {\"namespace\": \"" + namespace + "\"}" : "") + "}")));
    }

    /** What a cluster would have brought about, of the jobs of both namespaces. */
    private void live() {
        String of = " t join job j on j.id = t.job_id set ";
        rows.run(
                "insert into task (id, job_id, job_version, stripe, fire_time, next_fire_time, attempt, cause, due_at, state,"
                        + " launch_id, session_id, prepared_at) select t.task_id, t.job_id, t.job_version, t.stripe, t.fire_time,"
                        + " t.fire_time + interval 1 day, 1, 'SCHEDULE', t.due_at, 'PREPARED', concat('s1-', t.task_id), 's1',"
                        + " utc_timestamp(3) from job_next t join job j on j.id = t.job_id where j.name like '%-prepared'");
        rows.run("update job_next" + of + "t.fire_time = t.fire_time + interval 1 day, t.due_at = t.fire_time,"
                + " t.task_id = t.task_id + 5000000 where j.name like '%-prepared'");
        rows.run("update job_next" + of
                + "t.fire_time = t.fire_time - interval 3 day, t.due_at = if(t.due_at is null, null,"
                + " t.fire_time) where j.name like '%overdue%'");
        insert(
                "'run:1'",
                "'MANUAL', utc_timestamp(3), 'EXECUTING', concat('s1-', j.id), 's1', utc_timestamp(3), null, null",
                "%-executing");
        insert("''", "'SCHEDULE', null, 'IDLE', null, null, null, 'OVERLAP', 'waits for task 7'", "held");
        insert("''", "'SCHEDULE', null, 'IDLE', null, null, null, 'ERROR', 'refused'", "aside");
        rows.run(
                "insert into task_aside select t.id, t.job_id, 3, utc_timestamp(3), '2100-01-01' from live_task t join job j"
                        + " on j.id = t.job_id where j.name = 'aside' and t.hold is not null");
        rows.run("insert into job_run (job_id, runs) select id, 5 from job where name like '%runs%'");
        rows.run("insert into task_history (id, job_id, namespace, job, job_version, fire_time, next_fire_time, origin,"
                + " attempt, cause, outcome, ended_at, occurrences, last_fire_time) select 1000000 + j.id, j.id,"
                + " j.namespace, j.name, 1, t.fire_time - interval 10 day, t.fire_time + interval 2 day, '', 1, 'SCHEDULE',"
                + " 'MISSED', utc_timestamp(3), 12, t.fire_time + interval 1 day from job j join live_task t on t.job_id = j.id"
                + " where j.name in ('schedule-settled', 'resumed-ahead')");
        rows.run("update job_next" + of
                + "t.fire_time = t.fire_time + interval 2 day, t.due_at = if(t.due_at is null, null,"
                + " t.fire_time) where j.name in ('schedule-settled', 'resumed-ahead')");
    }

    private void insert(String origin, String rest, String like) {
        rows.run("insert into task (job_id, job_version, stripe, fire_time, origin, attempt, cause, due_at, state,"
                + " launch_id, session_id, started_at, hold, hold_reason) select j.id, 1, j.id % 64, '2026-03-01', "
                + origin
                + ", 1, " + rest + " from job j where j.name like '" + like + "'");
    }

    /** All that is to be the same of both, whatever became of it, and when. */
    private List<List<Map<String, @Nullable String>>> all(String namespace) {
        String of = " where namespace = '" + namespace + "'";
        return List.of(
                rows.all("select j.name, t.job_version, t.fire_time, t.next_fire_time, t.origin, t.attempt, t.cause,"
                        + " case when t.due_at is null then 'none' when t.due_at = t.fire_time then 'fire time' when"
                        + " t.due_at > t.fire_time and t.jitter_ms > 0 then 'spread' else 'now' end as due, t.state,"
                        + " t.session_id, t.prepared_at is null as unprepared, t.hold, t.hold_reason, t.cursor_of is null as free,"
                        + " t.priority, t.group_name, t.jitter_ms > 0 as jitter, s.expression from live_task t join job j on"
                        + " j.id = t.job_id left join selector s on s.id = t.selector" + of
                        + " order by j.name, t.fire_time, t.origin"),
                rows.all("select job, job_version, fire_time, next_fire_time, origin, cause, outcome, reason,"
                        + " occurrences, last_fire_time from task_history" + of + " order by job, fire_time, origin"),
                rows.all("select name, version, json_remove(definition, '$.namespace') as d, paused, paused_until,"
                        + " updated_at > created_at as changed from job" + of + " order by name"),
                rows.all("select v.name, v.version, json_remove(v.definition, '$.namespace') as d, v.paused, v.runs,"
                        + " v.changed_by, v.valid_until is null as in_force, v.valid_until = (select n.valid_from from"
                        + " job_version n where n.job_id = v.job_id and n.version = v.version + 1) as on_time from"
                        + " job_version v" + of + " order by v.name, v.version"),
                rows.all("select name, kind, who, role, request_id, json_remove(was, '$.namespace') as was,"
                        + " json_remove(became, '$.namespace') as became from audit" + of + " order by name, id"),
                rows.all("select j.name, a.times, a.look_at > '2099-01-01' as later from task_aside a join job j on"
                        + " j.id = a.job_id" + of),
                rows.all("select j.name, r.runs from job_run r join job j on j.id = r.job_id" + of));
    }

    @Test
    void together_they_become_what_they_become_one_by_one() {
        plans.apply(request("one", 0, false), null);
        plans.apply(request("many", 0, false), null);
        live();
        assertThat(all("many")).isEqualTo(all("one"));

        edits().forEach((name, edit) -> {
            JobKey key = new JobKey("one", name);
            if (edit[1] == null) {
                jobs.delete(key, Precondition.NONE);
            } else {
                jobs.put(key, json("{" + edit[1] + "}"), Precondition.NONE);
            }
        });
        plans.apply(request("many", 1, true), null);

        List<List<Map<String, @Nullable String>>> one = all("one");
        List<List<Map<String, @Nullable String>>> many = all("many");
        for (int i = 0; i < one.size(); i++) {
            assertThat(many.get(i)).as("part " + i).containsExactlyElementsOf(one.get(i));
        }
        assertThat(rows.count("job_run r left join job j on j.id = r.job_id where j.id is null"))
                .isZero();
        assertThat(rows.count("task_history where namespace = 'many' and outcome = 'CANCELLED'"))
                .isGreaterThan(4);
    }

    @Tag("slow")
    @Test
    void a_thousand_are_changed_and_removed_with_few_statements() {
        plans.apply(thousand("true", inTwelveHours, 0, 1_000), null);
        long before = relay.statements();

        plans.apply(thousand("false", inTwelveHours, 0, 1_000), null);

        assertThat(relay.statements() - before).isLessThan(150);
        assertThat(rows.count("job where version = 2 and json_extract(definition, '$.command') = 'false'"))
                .isEqualTo(1_000);
        before = relay.statements();

        plans.apply(thousand("false", inThirteenHours, 0, 1_000), null);

        assertThat(relay.statements() - before).isLessThan(250);
        assertThat(rows.count("live_task where job_version = 3 and cursor_of = job_id and minute(fire_time) = 30"))
                .isEqualTo(1_000);
        before = relay.statements();

        plans.apply(thousand("false", inThirteenHours, 0, 1), null);

        assertThat(relay.statements() - before).as("with prune").isLessThan(150);
        assertThat(rows.count("job")).isEqualTo(1);
        assertThat(rows.count("audit where action = 'apply'")).isEqualTo(3_999);
    }

    private static ObjectNode thousand(String command, String schedule, int from, int to) {
        return json(IntStream.range(from, to)
                .mapToObj(i -> "{\"name\": \"j" + i + "\", \"schedule\": \"" + schedule + "\", \"command\": \""
                        + command + "\", \"group\": \"g\"}")
                .collect(Collectors.joining(",", "{\"jobs\": [", "], \"prune\": {\"namespace\": \"default\"}}")));
    }

    /** The live tasks of such a job are not read together with those of others. */
    @Tag("slow")
    @Test
    void a_job_with_very_many_tasks_is_changed_with_others() {
        plans.apply(thousand("true", inTwelveHours, 0, 3), null);
        rows.run("insert into task (job_id, job_version, stripe, fire_time, origin, attempt, cause, due_at, state,"
                + " hold, hold_reason) select j.id, 1, j.id % 64, '2026-03-01', concat('run:', n), 1, 'MANUAL', null, 'IDLE',"
                + " 'OVERLAP', 'waits' from job j join " + Numbers.upTo(21_000) + " where j.name = 'j1'");

        plans.apply(thousand("true", inThirteenHours, 0, 3), null);

        assertThat(rows.count("live_task where job_version = 2 and cursor_of = job_id and minute(fire_time) = 30"))
                .isEqualTo(3);
        assertThat(rows.count("live_task where job_version = 2")).isEqualTo(21_003);
    }

    /** What goes wrong with one of them is told of its place, and nothing of it all is changed. */
    @Test
    void a_group_that_went_in_between_undoes_all() {
        plans.apply(thousand("true", inTwelveHours, 0, 300), null);
        rows.run("create trigger no_group before update on job for each row if new.name = 'j299' then"
                + " signal sqlstate '45000' set mysql_errno = 1205, message_text = 'lock wait'; end if");

        assertThatThrownBy(() -> plans.apply(thousand("false", inTwelveHours, 0, 300), null))
                .isInstanceOf(RuntimeException.class);

        rows.run("drop trigger no_group");
        assertThat(rows.count("job where version > 1")).isZero();
        assertThat(rows.count("job_version where valid_until is not null")).isZero();
        assertThatThrownBy(() -> plans.apply(
                        json("{\"jobs\": [{\"name\": \"j1\", " + RUNS + "\"" + inTwelveHours
                                + "\", \"group\": \"none\"}]}"),
                        null))
                .isInstanceOfSatisfying(
                        InvalidDefinition.class,
                        e -> assertThat(e.problems())
                                .extracting(problem -> problem.field())
                                .containsExactly("jobs[0].group"));
    }

    private static Calendars calendars(Database of) {
        return new Calendars(new CalendarStore(of), new ManyJobs(of, null), () -> {});
    }
}
