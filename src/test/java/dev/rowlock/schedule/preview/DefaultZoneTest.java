package dev.rowlock.schedule.preview;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.Servers;
import dev.rowlock.definition.JobKey;
import dev.rowlock.http.Precondition;
import dev.rowlock.job.CommandUsers;
import dev.rowlock.job.Jobs;
import dev.rowlock.job.Jobs.SavedJob;
import dev.rowlock.job.store.JobQueries;
import dev.rowlock.job.store.JobStore;
import dev.rowlock.schedule.preview.Previews.Preview;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.time.Duration;
import java.time.ZoneId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A node whose {@code schedule.zone} is Cairo's, beside one whose is UTC. */
@Tag("database")
class DefaultZoneTest {

    private static final JobKey KEY = new JobKey("default", "j");
    private static final String CAIRO = "Africa/Cairo";
    private static final String DAILY = "\"schedule\": \"0 3 * * *\", \"command\": \"true\"";

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    @SuppressWarnings("NullAway.Init")
    private Database database;

    @SuppressWarnings("NullAway.Init")
    private Jobs cairo;

    @SuppressWarnings("NullAway.Init")
    private Jobs utc;

    @BeforeEach
    void open() {
        DatabaseAddress address = new DatabaseAddress(SERVER.url(), SERVER.user(), SERVER.password());
        database = Database.pooled(new Servers(address), 2, Duration.ofSeconds(5));
        new Rows(SERVER).run("delete from job");
        new Rows(SERVER).run("delete from live_task");
        cairo = new Jobs(new JobStore(database), new JobQueries(database), CAIRO, () -> {}, CommandUsers.ANY);
        utc = new Jobs(new JobStore(database), new JobQueries(database), () -> {});
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void a_job_that_names_none_is_stored_with_it_and_means_it_wherever_it_is_read() {
        assertThat(zone(cairo.create(json("\"name\": \"j\", " + DAILY)))).isEqualTo("Africa/Cairo");
        assertThat(new Rows(SERVER).one("select zone from job")).isEqualTo("Africa/Cairo");
        assertThat(utc.get(KEY).job().definition().zone()).isEqualTo(CAIRO);
        assertThat(new Previews(new JobStore(database)).next(KEY, null, 1).zone())
                .isEqualTo(ZoneId.of(CAIRO));
        assertThat(zone(utc.patch(KEY, json("\"description\": \"x\""), Precondition.NONE)))
                .isEqualTo("Africa/Cairo");
        assertThat(zone(utc.put(KEY, json(DAILY), Precondition.NONE))).isEqualTo("UTC");
        assertThat(zone(cairo.patch(KEY, json("\"zone\": null"), Precondition.NONE)))
                .isEqualTo("Africa/Cairo");
    }

    @Test
    void a_zone_that_is_named_counts_and_so_does_a_prefix_without_a_word() {
        assertThat(zone(cairo.put(KEY, json(DAILY + ", \"zone\": \"Asia/Tokyo\""), Precondition.NONE)))
                .isEqualTo("Asia/Tokyo");
        SavedJob prefixed = cairo.put(
                KEY, json("\"schedule\": \" CRON_TZ=Asia/Tokyo 0 3 * * *\", \"command\": \"true\""), Precondition.NONE);
        assertThat(prefixed.warnings()).isEmpty();
    }

    @Test
    void lines_that_all_name_a_zone_leave_it_out_and_one_that_does_not_has_it() {
        String named =
                "\"schedule\": [\"TZ=Asia/Tokyo 0 3 * * *\", {\"schedule\": \"0 3 * * *\", \"zone\": \"Europe/Oslo\"}";

        assertThat(zone(cairo.put(KEY, json(named + "], \"command\": \"true\""), Precondition.NONE)))
                .isEqualTo("UTC");
        assertThat(zone(cairo.put(KEY, json(named + ", \"0 3 * * *\"], \"command\": \"true\""), Precondition.NONE)))
                .isEqualTo(CAIRO);
    }

    @Test
    void a_preview_goes_by_it() {
        Preview preview = new Previews(new JobStore(database), CAIRO)
                .preview(json("\"schedule\": \"0 3 * * *\", \"from\": \"2026-01-01T00:00:00Z\", \"count\": 1"));
        assertThat(preview.local())
                .singleElement()
                .satisfies(t -> assertThat(t.local()).isEqualTo("2026-01-01T03:00:00+02:00"));
    }

    private static String zone(SavedJob saved) {
        return saved.view().job().definition().zone();
    }

    private static ObjectNode json(String fields) {
        try {
            return (ObjectNode) new ObjectMapper().readTree("{" + fields + "}");
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(fields, e);
        }
    }
}
