package dev.rowlock.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rowlock.support.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The ids of rows that were inserted together. */
@Tag("database")
class InsertedIdsTest {

    @RegisterExtension
    final TestDatabase tests = TestDatabase.withoutTables();

    /** As on a member of a Galera cluster, when another one has joined or left. */
    @Test
    void they_are_those_of_the_rows_when_the_step_between_ids_has_changed_since_the_connection_was_made()
            throws SQLException {
        try (Connection connection = tests.connect();
                Statement statement = connection.createStatement()) {
            assumeTrue(DatabaseAddress.isMariaDb(connection), "a session of MySQL keeps the step between ids");
            statement.execute("create table numbered (id bigint auto_increment primary key, name varchar(9))");
        }
        DatabaseAddress address = new DatabaseAddress(tests.url(), tests.user(), tests.password());
        try (Database database = Database.single(address, Duration.ofSeconds(30))) {
            List<String> names = List.of("'a'", "'b'", "'c'");
            for (int step : List.of(1, 3, 2)) {
                database.autoCommit(
                        "a view of members",
                        handle -> handle.execute("set session auto_increment_increment = " + step));
                List<Long> ids = database.autoCommit(
                        "inserting",
                        handle -> Listed.insert(
                                handle, "insert into numbered (name) values ", names, name -> "(" + name + ")"));
                List<Long> found = database.autoCommit(
                        "reading",
                        handle -> handle.createQuery(
                                        "select id from numbered where id >= " + ids.get(0) + " order by id")
                                .mapTo(Long.class)
                                .list());

                assertThat(ids).as("by steps of " + step).isEqualTo(found);
            }
        }
    }
}
