package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.StatementProblem;
import dev.rowlock.support.LogLines;
import dev.rowlock.support.ManualNanos;
import dev.rowlock.support.TestDatabase;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the log says while passes fail. */
@Tag("database")
class FailuresTest {

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    private final ManualNanos nanos = new ManualNanos();
    private final Failures failures = new Failures(nanos);
    private final LogLines log = LogLines.of(Failures.class);

    @AfterEach
    void close() {
        log.close();
    }

    @Test
    void a_server_error_is_told_with_its_trace_once_then_each_minute_and_when_it_is_over() {
        try (Database database = database()) {
            for (int half = 0; half < 360; half++) { // three minutes: every other round has nothing to do
                StatementProblem problem = problem(database, "starting " + half + " tasks", "table_" + half);
                failures.noticed("scheduler", problem);
                nanos.advance(Duration.ofMillis(250));
                failures.none("scheduler");
                nanos.advance(Duration.ofMillis(250));
            }
        }
        nanos.advance(Duration.ofSeconds(10));
        failures.none("scheduler");
        failures.none("scheduler");

        assertThat(log.events(event -> event.getThrowableProxy() != null)).hasSize(1);
        assertThat(log.texts())
                .satisfiesExactly(
                        line -> assertThat(line).isEqualTo("scheduler: a pass failed and is tried again"),
                        line -> assertThat(line).startsWith("scheduler: 120 more passes failed, the last one with: "),
                        line -> assertThat(line).startsWith("scheduler: 120 more passes failed, the last one with: "),
                        line -> assertThat(line).isEqualTo("scheduler: no pass fails any more; 360 did"));
    }

    @Test
    void another_kind_of_error_is_told_with_its_trace_too_and_the_same_of_another_loop_in_a_line() {
        RuntimeException first = new IllegalStateException("started 3 of 4");
        RuntimeException other = new IllegalStateException("recorded 3 of 4");

        failures.noticed("scheduler", first);
        failures.noticed("reaper", first);
        failures.noticed("scheduler", other);
        failures.noticed("scheduler", other);

        assertThat(log.texts())
                .containsExactly(
                        "scheduler: a pass failed and is tried again",
                        "reaper: a pass failed and is tried again: " + first,
                        "scheduler: a pass failed and is tried again");
        assertThat(log.events(event -> event.getThrowableProxy() != null)).hasSize(2);
    }

    private static Database database() {
        return Database.single(
                new DatabaseAddress(SERVER.url(), SERVER.user(), SERVER.password()), Duration.ofSeconds(5));
    }

    private static StatementProblem problem(Database database, String what, String table) {
        return catchThrowableOfType(
                StatementProblem.class,
                () -> database.autoCommit(what, handle -> handle.execute("insert into " + table + " values (1)")));
    }
}
