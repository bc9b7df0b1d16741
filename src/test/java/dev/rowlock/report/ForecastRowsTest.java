package dev.rowlock.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.calendar.CalendarSource;
import dev.rowlock.support.IdleJobs;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the server picks out of definitions for a forecast is what they say as a whole. */
@Tag("database")
class ForecastRowsTest {

    private static final List<String> DEFINITIONS = List.of(
            "{'schedule': '*/5 * * * *', 'command': 'true'}",
            "{'schedule': '@every 90s', 'zone': 'Europe/Berlin', 'daylightSaving': 'PLAIN', 'overlap': 'ALLOW'}",
            "{'schedule': ' @daily ', 'zone': null, 'overlap': null, 'daylightSaving': null}",
            "{'schedule': '0 4 * * *', 'startAt': '2026-01-01T00:00:00Z', 'endAt': '2027-01-01T00:00:00+01:00'}",
            "{'schedule': '0 4 * * *', 'maxRuns': 7, 'jitter': '5m', 'zone': 'Asia/Tokyo', 'overlap': 'QUEUE'}",
            "{'schedule': '@hourly', 'nodes': 'role=db', 'broadcast': true}",
            "{'schedule': '@hourly', 'zone': 'Mars/Olympus'}",
            "{'schedule': '@hourly', 'overlap': 'SOMETIMES'}",
            "{'schedule': '@hourly', 'jitter': 'some'}",
            "{'schedule': '', 'command': 'true'}",
            "{'command': 'true', 'labels': {'schedule': 'x'}}",
            "{'schedule': '\\u00e9\\\"\\n'}");

    @RegisterExtension
    final TestDatabase server = new TestDatabase();

    @Test
    void each_is_read_as_its_definition_is() {
        DatabaseAddress address = new DatabaseAddress(server.url(), server.user(), server.password());
        Rows rows = new Rows(server);
        IdleJobs.insert(rows, DEFINITIONS.size());
        for (int i = 0; i < DEFINITIONS.size(); i++) {
            String text = DEFINITIONS.get(i).replace('\'', '"').replace("\\", "\\\\");
            rows.run("update job set definition = '" + text + "' where id = " + (i + 1));
        }
        List<Optional<PlannedJob>> read = new ArrayList<>();
        List<Optional<JobKey>> keys = new ArrayList<>();
        try (Database database = Database.single(address, Duration.ofSeconds(30))) {
            new ForecastQueries(database).jobs("default", false, row -> {
                read.add(row.planned());
                keys.add(Optional.ofNullable(row.key()));
            });
        }

        assertThat(read)
                .containsExactlyElementsOf(DEFINITIONS.stream()
                        .map(text -> PlannedJob.read(text.replace('\'', '"'), CalendarSource.NONE))
                        .toList());
        assertThat(read.stream().filter(Optional::isPresent).count()).isEqualTo(7);
        assertThat(keys.get(0)).isEmpty();
        assertThat(keys.get(4)).contains(new JobKey("default", "idle-5"));
    }
}
