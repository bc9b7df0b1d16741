package dev.rowlock.node.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.Servers;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tables under a node that runs: what another server, or a backup, may bring. */
@Tag("database")
class SchemaTest {

    private static final String VERSION = "select max(version + 0) from rowlock_schema_history";

    @RegisterExtension
    final TestDatabase server = TestDatabase.withoutTables();

    private final Rows rows = new Rows(server);
    private final AtomicInteger first = new AtomicInteger();

    @Test
    void tables_that_are_older_than_they_were_are_brought_up_to_date_once_they_are_doubted() {
        Schema schema = schema();
        schema.bringUpToDate();
        String newest = rows.one(VERSION);
        rows.run("delete from rowlock_schema_history where version = '1'");

        schema.bringUpToDate();
        assertThat(rows.one(VERSION)).as("nobody doubts them").isNotEqualTo(newest);

        schema.doubt();
        schema.bringUpToDate();

        assertThat(rows.one(VERSION)).isEqualTo(newest);
        assertThat(first).hasValue(1);
        assertThat(schema.problem()).isEmpty();
    }

    @Test
    void what_is_wrong_with_the_tables_is_said() {
        Schema schema = schema();
        assertThat(schema.problem()).get().asString().contains("has not been brought up to date yet");
        rows.run("create table v_job (its int)"); // another program's
        assertThat(catchThrowable(schema::bringUpToDate)).isNotNull();

        assertThat(schema.problem()).get().asString().contains("cannot be brought up to date: ");

        rows.run("drop table v_job");
        schema.bringUpToDate();
        assertThat(schema.problem()).isEmpty();
    }

    private Schema schema() {
        return new Schema(
                new Servers(new DatabaseAddress(server.url(), server.user(), server.password())),
                first::incrementAndGet);
    }
}
