package dev.rowlock.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TestDatabaseTest {

    @RegisterExtension
    final TestDatabase database = new TestDatabase();

    @RepeatedTest(3)
    void every_test_has_a_database_without_tables() throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            assertThat(text(
                            statement,
                            "select count(*) from information_schema.tables where table_schema = database()"))
                    .isEqualTo("0");
            statement.execute("create table t (id int)");
        }
    }

    @Test
    void the_database_speaks_utf8mb4() throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            assertThat(text(statement, "select @@character_set_database")).isEqualTo("utf8mb4");
        }
    }

    private static String text(Statement statement, String sql) throws SQLException {
        try (ResultSet rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).isTrue();
            return rows.getString(1);
        }
    }
}
