package dev.rowlock.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.calendar.CalendarStore;
import dev.rowlock.db.CommitUnknown;
import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.ReadCounter;
import dev.rowlock.db.Servers;
import dev.rowlock.job.calendar.Calendars;
import dev.rowlock.job.plan.Plan;
import dev.rowlock.job.plan.Plans;
import dev.rowlock.job.store.JobQueries;
import dev.rowlock.job.store.ManyJobs;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TcpRelay;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A plan whose commit is not answered, and one of many jobs. */
@Tag("database")
class AppliedOrNotTest {

    @RegisterExtension
    final TestDatabase server = new TestDatabase();

    private TcpRelay relay;
    private Database through;
    private Rows rows;
    private Plans plans;

    @BeforeEach
    void open() throws IOException {
        relay = TcpRelay.to(server.address());
        DatabaseAddress address =
                new DatabaseAddress(server.urlThrough(relay.port()), server.user(), server.password());
        through = Database.pooled(new Servers(address), 2, Duration.ofSeconds(10));
        rows = new Rows(server);
        plans = new Plans(
                new ManyJobs(through, null),
                new JobQueries(through),
                "UTC",
                () -> {},
                CommandUsers.ANY,
                calendars(through));
    }

    @AfterEach
    void close() throws IOException {
        through.close();
        relay.close();
    }

    private static ObjectNode jobs(int count, String command) {
        String text = IntStream.range(0, count)
                .mapToObj(i -> "{\"name\": \"j" + i + "\", \"schedule\": \"0 3 * * *\", \"command\": \"" + command
                        + "\", \"labels\": {\"n\": \"" + i + "\"}" + (i % 3 == 0 ? ", \"jitter\": \"5m\"" : "")
                        + (i % 4 == 0 ? ", \"paused\": true" : "") + (i % 5 == 0 ? ", \"nodes\": \"a=b\"" : "") + "}")
                .collect(Collectors.joining(",", "{\"jobs\": [", "]}"));
        try {
            return (ObjectNode) new ObjectMapper().readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    @Test
    void what_was_committed_though_nobody_heard_of_it_is_found_by_the_same_request() {
        ObjectNode sent = jobs(3, "true");
        String etag = plans.plan(sent).etag();
        relay.cutAfter(TcpRelay.commitOf("insert into job_next"));
        assertThatThrownBy(() -> plans.apply(sent, etag)).isInstanceOf(CommitUnknown.class);
        relay.passThrough();
        assertThat(rows.count("job")).isEqualTo(3);

        Plan again = plans.apply(sent, etag);

        assertThat(again.isEmpty()).isTrue();
        assertThat(rows.count("job_version")).isEqualTo(3);
        assertThat(rows.count("job where version > 1")).isZero();
    }

    @Test
    void what_was_not_committed_is_applied_by_the_same_request() {
        ObjectNode sent = jobs(3, "true");
        String etag = plans.plan(sent).etag();
        relay.cutBefore(TcpRelay.commitOf("insert into job_next"));
        assertThatThrownBy(() -> plans.apply(sent, etag)).isInstanceOf(CommitUnknown.class);
        relay.passThrough();
        assertThat(rows.count("job")).isZero();

        Plan again = plans.apply(sent, etag);

        assertThat(again.isEmpty()).isFalse();
        assertThat(rows.count("job where version = 1")).isEqualTo(3);
    }

    /** As many rows as if each had been made by itself, and so of their tasks. */
    @Test
    void a_thousand_are_made_with_few_statements_as_one_would_be() {
        rows.run("insert into job_version (job_id, version, namespace, name, definition, paused, valid_from,"
                + " valid_until) values (7, 4, 'default', 'j8', '{}', false, utc_timestamp(3), utc_timestamp(3))");
        ObjectNode sent = jobs(1_000, "true");
        long before = relay.statements();

        plans.apply(sent, null);

        assertThat(relay.statements() - before).isLessThan(80); // with a block of ids, over a connection of its own
        assertThat(rows.count("job where version = if(name = 'j8', 5, 1)")).isEqualTo(1_000);
        assertThat(rows.count("job j join job_version v on v.job_id = j.id and v.version = j.version"
                        + " and v.name = j.name and v.valid_until is null and v.valid_from = j.created_at"
                        + " and v.paused = j.paused"))
                .isEqualTo(1_000);
        assertThat(rows.count("live_task t join job j on j.id = t.job_id where t.cursor_of = j.id"
                        + " and t.job_version = j.version and t.stripe = j.id % 64 and t.fire_time > utc_timestamp(3)"
                        + " and (t.due_at is null) = j.paused and (t.hold <=> 'PAUSE') = j.paused"
                        + " and (j.paused or t.due_at = t.fire_time + interval t.jitter_ms * 1000 microsecond)"
                        + " and (t.selector > 0) = (json_extract(j.definition, '$.nodes') is not null)"))
                .isEqualTo(1_000);
        assertThat(rows.count("live_task where jitter_ms > 0")).isBetween(300L, 334L);
        assertThat(ReadCounter.rowsReadBy(through, () -> plans.plan(jobs(1, "true"))))
                .isLessThan(100);
    }

    private static Calendars calendars(Database of) {
        return new Calendars(new CalendarStore(of), new ManyJobs(of, null), () -> {});
    }
}
