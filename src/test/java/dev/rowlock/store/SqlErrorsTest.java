package dev.rowlock.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class SqlErrorsTest {

    @Test
    void a_statement_that_was_closed_under_us_is_a_broken_connection_and_not_a_wrong_statement() {
        assertThat(SqlErrors.isUnavailable(new SQLException("No operations allowed after statement closed.", "S1009")))
                .isTrue();
        assertThat(SqlErrors.isUnavailable(new RuntimeException(
                        new SQLException("No operations allowed after connection closed.", "08003"))))
                .isTrue();
    }

    @Test
    void what_the_server_refuses_is_not() {
        assertThat(SqlErrors.isUnavailable(new SQLException("Data too long for column 'x' at row 1", "22001", 1406)))
                .isFalse();
    }

    @Test
    void a_server_that_left_its_group_or_is_offline_is_one_that_was_demoted() {
        for (int code : new int[] {1290, 1836, 3032, 3100, 3796}) {
            SQLException refused = new SQLException("no", "HY000", code);
            assertThat(SqlErrors.isDemoted(refused)).as("%d", code).isTrue();
            assertThat(SqlErrors.isUnavailable(refused)).as("%d", code).isTrue();
        }
        assertThat(SqlErrors.isRepeatable(new SQLException("a conflict in the group", "HY000", 3101)))
                .isTrue();
    }
}
