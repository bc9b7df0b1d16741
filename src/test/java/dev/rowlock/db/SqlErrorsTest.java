package dev.rowlock.db;

import static org.assertj.core.api.Assertions.assertThat;

import com.mysql.cj.jdbc.exceptions.PacketTooBigException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqlErrorsTest {

    @Test
    void a_statement_that_was_closed_under_us_is_a_broken_connection_and_not_a_wrong_statement() {
        assertThat(SqlErrors.isUnavailable(new SQLException("No operations allowed after statement closed.", "S1009")))
                .isTrue();
        assertThat(SqlErrors.isUnavailable(new RuntimeException(
                        new SQLException("No operations allowed after connection closed.", "08003"))))
                .isTrue();
        assertThat(SqlErrors.isUnavailable(
                        new SQLException("Streaming result set com.mysql.cj.X@1 is still active.", "S1000")))
                .isTrue();
    }

    /** What a row may be set aside for. Nothing else may cost it anything. */
    @ParameterizedTest
    @CsvSource({
        "1048, 23000, column cannot be null",
        "1062, 23000, duplicate entry",
        "1118, 42000, row size too large",
        "1153, 08S01, larger than max_allowed_packet",
        "1264, 22003, out of range",
        "1265, 01000, data truncated",
        "1292, 22007, incorrect datetime value",
        "1301, HY000, result larger than max_allowed_packet",
        "1366, HY000, incorrect value",
        "1406, 22001, data too long",
        "1411, HY000, incorrect value for a function",
        "1452, 23000, a foreign key fails",
        "1644, 45000, a trigger says no",
        "1690, 22003, value out of range",
        "1713, HY000, undo record too big",
        "3140, 22032, invalid JSON text",
        "3819, HY000, check constraint violated",
        "4025, 23000, MariaDB: constraint failed",
        "4038, HY000, MariaDB: syntax error in JSON text"
    })
    void errors_of_data(int code, String state, String what) {
        assertThat(SqlErrors.isOfData(new SQLException(what, state, code))).isTrue();
        assertThat(SqlErrors.isUnavailable(new SQLException(what, state, code))).isFalse();
    }

    @Test
    void what_the_driver_finds_too_large_to_be_sent_is_of_data_too() {
        assertThat(SqlErrors.isOfData(new PacketTooBigException(2, 1))).isTrue();
    }

    /** The server as a whole does not serve: nothing is split, and readiness says so. */
    @ParameterizedTest
    @CsvSource({
        "1021, HY000, disk full",
        "1021, 45000, disk full as a trigger signals it",
        "1026, HY000, error writing a file",
        "1030, HY000, got an error from the storage engine",
        "1037, HY001, out of memory",
        "1038, HY001, out of sort memory",
        "1041, HY000, out of resources",
        "1114, HY000, table full",
        "1114, 22000, table full as a trigger signals it",
        "1135, HY000, cannot create a thread",
        "1180, HY000, Got error 5 'Not connected to Primary Component' during COMMIT",
        "1290, HY000, read-only",
        "1317, 70100, query interrupted",
        "0, 08S01, communications link failure"
    })
    void errors_of_the_whole_server(int code, String state, String what) {
        assertThat(SqlErrors.isUnavailable(new SQLException(what, state, code))).isTrue();
        assertThat(SqlErrors.isOfData(new SQLException(what, state, code))).isFalse();
    }

    /** Smaller batches may pass, and nobody's row is to blame. */
    @ParameterizedTest
    @CsvSource({
        "1052, 23000, column is ambiguous",
        "1064, 42000, syntax error",
        "1146, 42S02, no such table",
        "1197, HY000, max_binlog_cache_size",
        "1206, HY000, lock table full",
        "1436, HY000, thread stack overrun",
        "1969, 70100, MariaDB: max_statement_time",
        "3024, HY000, max_execution_time",
        "9001, HY000, invented by a proxy",
        "1644, 08001, signalled with a state of the connection's",
        "0, S1000, an error of the driver"
    })
    void all_else_is_tried_again(int code, String state, String what) {
        assertThat(SqlErrors.isOfData(new SQLException(what, state, code))).isFalse();
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
