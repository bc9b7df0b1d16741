package dev.rowlock.task.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.alert.store.OldAlerts;
import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.support.Numbers;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("database")
class OldAlertsTest {

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    /** An alert that nobody mends is told again for months. */
    @Test
    void old_messages_of_open_alerts_are_deleted_and_what_is_to_be_sent_stays() throws IOException {
        DatabaseAddress address = new DatabaseAddress(SERVER.url(), SERVER.user(), SERVER.password());
        Rows rows = new Rows(SERVER);
        rows.run("insert into alert (id, rule, kind, subject, event, detail, at, raised_at, sending) select n, 'r',"
                + " 'FAILED', n, n, '{}', '2026-01-01', '2026-01-01', 'SENT' from " + Numbers.upTo(3));
        rows.run("insert into alert_message (id, uid, channel, group_key, state, created_at, next_at, expires_at)"
                + " select n, concat('msg_', n), 'ops', '', if(n = 5, 'WAITING', 'SENT'), '2026-01-01' + interval n"
                + " day, '2026-01-01', '2026-01-01' from " + Numbers.upTo(100));
        rows.run("insert into alert_part select m.id, a.id, 'REMINDER' from alert_message m join alert a");
        int passes = 0;
        try (Database database = Database.single(address, Duration.ofSeconds(60))) {
            OldAlerts old = new OldAlerts(database);
            while (old.delete(Instant.parse("2026-02-01T00:00:00Z"), 10)) {
                passes++;
            }
        }
        assertThat(passes).isBetween(8, 12); // 87 parts, ten at a time
        assertThat(rows.count("alert")).isEqualTo(3);
        assertThat(rows.count("alert_message")).isEqualTo(71); // of February and after, and one that waits
        assertThat(rows.count("alert_message where state = 'WAITING'")).isEqualTo(1);
        assertThat(rows.count("alert_part")).isEqualTo(3 * 71);
    }
}
