package dev.rowlock.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cluster.ClockInDoubt;
import dev.rowlock.cluster.DatabaseClock;
import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.Servers;
import dev.rowlock.definition.JobKey;
import dev.rowlock.http.Precondition;
import dev.rowlock.job.store.JobQueries;
import dev.rowlock.job.store.JobStore;
import dev.rowlock.job.store.ZonedCursors;
import dev.rowlock.schedule.TimeZoneData;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Older rules are pretended by moving what was made with the present ones. */
@Tag("database")
class ZoneRulesTest {

    @RegisterExtension
    final TestDatabase testDatabase = new TestDatabase();

    @SuppressWarnings("NullAway.Init")
    private Database database;

    @SuppressWarnings("NullAway.Init")
    private Jobs jobs;

    @SuppressWarnings("NullAway.Init")
    private Rows rows;

    @BeforeEach
    void open() {
        DatabaseAddress address = new DatabaseAddress(testDatabase.url(), testDatabase.user(), testDatabase.password());
        database = Database.pooled(new Servers(address), 2, Duration.ofSeconds(5));
        jobs = new Jobs(new JobStore(database), new JobQueries(database), () -> {});
        rows = new Rows(testDatabase);
        create("daily", "0 3 * * *", "Africa/Cairo");
        create("prefixed", "TZ=Africa/Cairo 30 3 * * *", "UTC");
        create("utc", "0 3 * * *", "UTC");
        create("frequent", "@every 1m", "Africa/Cairo");
    }

    @AfterEach
    void close() {
        database.close();
    }

    private void create(String name, String schedule, String zone) {
        ObjectNode job = new ObjectMapper().createObjectNode();
        jobs.create(job.put("name", name)
                .put("schedule", schedule)
                .put("zone", zone)
                .put("command", "true"));
    }

    private void createOfLines(String name, String zone, String... lines) {
        ObjectNode job = new ObjectMapper().createObjectNode();
        job.put("name", name).put("zone", zone).put("command", "true");
        for (String line : lines) {
            job.withArray("schedule").add(line);
        }
        jobs.create(job);
    }

    /** Whatever the zone of the job, and whichever of its lines has another. */
    @Test
    void cursors_of_jobs_with_several_schedules_are_set_anew_by_the_zones_of_all_lines() {
        createOfLines("lines", "UTC", "0 0 1 1 *", "TZ=Africa/Cairo 0 3 * * *");
        createOfLines("fixed", "UTC", "0 0 1 1 *", "0 3 * * *");
        Map<String, String> right = cursors();
        moveAllByAnHour();

        bringUpToDate(TimeZoneData.version());

        assertThat(cursors().get("lines")).isEqualTo(right.get("lines").replace("v1", "v2"));
        assertThat(rows.one("select group_concat(distinct reason) from task_history"))
                .as("nothing had a row")
                .isNull();
    }

    private void bringUpToDate(String version) {
        bringUpToDate(version, Duration.ZERO);
    }

    /** @param ahead by how much the database's clock is ahead of what the node believes */
    private void bringUpToDate(String version, Duration ahead) {
        ZoneRules rules = rules(version, ahead);
        while (rules.bringUpToDate()) {
            // more
        }
    }

    private ZoneRules rules(String version, Duration ahead) {
        DatabaseClock clock = new DatabaseClock(System::nanoTime, () -> 0);
        long nanos = System.nanoTime();
        clock.sample(new JobStore(database).now().minus(ahead), nanos, nanos);
        return new ZoneRules(new ZonedCursors(database, clock), jobs, version);
    }

    /** It froze, or lost its session, and another node with newer rules has finished meanwhile. */
    @Test
    void a_node_does_not_go_on_by_rules_that_are_older_than_those_recorded_meanwhile() {
        rows.run("alter table job auto_increment = 5001");
        create("later", "0 3 * * *", "Africa/Cairo");
        moveAllByAnHour();
        String moved = cursors().get("later");
        ZoneRules rules = rules("2024a", Duration.ZERO);
        assertThat(rules.bringUpToDate()).isTrue();
        rows.run("insert into setting (name, value) values ('time-zone-data', '2099z')");

        while (rules.bringUpToDate()) {
            // more
        }

        assertThat(cursors()).containsEntry("later", moved);
    }

    /** By a clock that leapt ahead every cursor would be overdue, and none of them would be moved. */
    @Test
    void while_the_clock_is_in_doubt_no_cursor_is_judged() {
        moveAllByAnHour();
        Map<String, String> moved = cursors();

        assertThatThrownBy(() -> bringUpToDate(TimeZoneData.version(), Duration.ofHours(1)))
                .isInstanceOf(ClockInDoubt.class);

        assertThat(cursors()).isEqualTo(moved);
        assertThat(rows.all("select value from setting where name = 'time-zone-data'"))
                .isEmpty();
    }

    /** Where each job's cursor stands, and the job's version. */
    private Map<String, String> cursors() {
        Map<String, String> cursors = new TreeMap<>();
        for (Map<String, String> row :
                rows.all("select j.name, concat(t.fire_time, ' ', t.due_at, ' v', j.version) as cursor_at"
                        + " from live_task t join job j on j.id = t.cursor_of")) {
            cursors.put(row.get("name"), row.get("cursor_at"));
        }
        return cursors;
    }

    private void moveAllByAnHour() {
        rows.run("update live_task set fire_time = fire_time + interval 1 hour, due_at = due_at + interval 1 hour");
    }

    @Test
    void cursors_that_newer_rules_put_elsewhere_are_set_anew() {
        Map<String, String> right = cursors();
        moveAllByAnHour();
        Map<String, String> moved = cursors();

        bringUpToDate(TimeZoneData.version());

        Map<String, String> now = cursors();
        assertThat(now.get("daily")).isEqualTo(right.get("daily").replace("v1", "v2"));
        assertThat(now.get("prefixed")).isEqualTo(right.get("prefixed").replace("v1", "v2"));
        assertThat(now.get("frequent")).endsWith("v2").isLessThan(moved.get("frequent"));
        assertThat(now.get("utc")).as("no rules that could change").isEqualTo(moved.get("utc"));
        assertThat(rows.one("select value from setting where name = 'time-zone-data'"))
                .isEqualTo(TimeZoneData.version());
    }

    @Test
    void cursors_that_a_node_with_older_rules_made_since_are_set_anew_when_it_has_gone() {
        Map<String, String> right = cursors();
        session("old", "2024a");
        ZoneRules rules = rules(TimeZoneData.version(), Duration.ZERO);
        bringUpToDate(TimeZoneData.version());
        assertThat(rules.isToBeRepeated()).isFalse();
        moveAllByAnHour();
        assertThat(rules.isToBeRepeated()).isFalse();

        rows.run("delete from session");
        assertThat(rules.isToBeRepeated()).isTrue();
        bringUpToDate(TimeZoneData.version());

        assertThat(cursors().get("daily")).isEqualTo(right.get("daily").replace("v1", "v2"));
        assertThat(rules.isToBeRepeated()).isFalse();
    }

    @Test
    void a_node_with_older_rules_that_joins_later_is_noted_by_itself_and_by_others() {
        bringUpToDate("2098a");
        ZoneRules rules = rules("2098a", Duration.ZERO);
        bringUpToDate(TimeZoneData.version());
        assertThat(rules.isToBeRepeated()).isTrue();
        bringUpToDate("2098a");
        assertThat(rules.isToBeRepeated()).isFalse();

        session("silent", null);
        assertThat(rules.isToBeRepeated()).isFalse();
        rows.run("delete from session");
        assertThat(rules.isToBeRepeated()).isTrue();
        assertThat(rules(TimeZoneData.version(), Duration.ZERO).isToBeRepeated())
                .isFalse();
    }

    private void session(String node, @Nullable String zoneRules) {
        String settings = zoneRules == null ? "{}" : "{\"java.time-zone-rules\": \"" + zoneRules + "\"}";
        rows.run("insert into session (id, node, host, boot_id, pid, pid_start, version, labels, capacity, started_at,"
                + " heartbeat_at, state, settings) values ('" + node + "', '" + node
                + "', 'h', 'b', 1, 1, 'v', '{}', 1,"
                + " utc_timestamp(3), utc_timestamp(3), 'ALIVE', '" + settings + "')");
    }

    @Test
    void what_is_in_its_place_stays_and_makes_no_version() {
        Map<String, String> right = cursors();

        bringUpToDate(TimeZoneData.version());

        assertThat(cursors()).isEqualTo(right);
    }

    @Test
    void rules_that_are_not_newer_than_those_recorded_move_nothing() {
        bringUpToDate("2099a");
        moveAllByAnHour();
        Map<String, String> moved = cursors();

        bringUpToDate("2099a");
        bringUpToDate(TimeZoneData.version());

        assertThat(cursors()).isEqualTo(moved);
        assertThat(rows.one("select value from setting where name = 'time-zone-data'"))
                .isEqualTo("2099a");
    }

    @Test
    void a_paused_job_stays_paused_and_an_overdue_cursor_is_left_to_fire() {
        jobs.setPaused(new JobKey("default", "daily"), true, Precondition.NONE);
        moveAllByAnHour();
        rows.run(
                "update job_next t join job j on j.id = t.job_id set t.fire_time = '2026-01-01' where j.name = 'prefixed'");

        bringUpToDate(TimeZoneData.version());

        assertThat(rows.one("select concat(due_at is null, ' ', hold) from live_task t join job j on j.id = t.job_id"
                        + " where j.name = 'daily'"))
                .isEqualTo("1 PAUSE");
        assertThat(rows.one(
                        "select concat(fire_time, ' ', cursor_of is not null) from live_task t join job j on j.id = t.job_id"
                                + " where j.name = 'prefixed'"))
                .isEqualTo("2026-01-01 00:00:00.000 1");
    }
}
