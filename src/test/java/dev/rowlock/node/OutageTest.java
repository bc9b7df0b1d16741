package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.DatabaseRefused;
import dev.rowlock.db.DatabaseUnavailable;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("database")
class OutageTest {

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    @Test
    void a_closed_port_is_named_until_it_is_over() throws IOException {
        Outage outage = new Outage(() -> 0, Duration.ZERO);
        int closed = closedPort();

        outage.noticed("scheduler", failure("jdbc:mysql://127.0.0.1:" + closed + "/x"));

        assertThat(outage.problem().orElse(""))
                .startsWith("the database is not available: ")
                .contains("127.0.0.1:" + closed + ": Connection refused");
        outage.over("scheduler");
        assertThat(outage.problem()).isEmpty();
    }

    @Test
    void an_account_that_is_not_let_in_is_told_as_that() {
        Outage outage = new Outage(() -> 0, Duration.ofSeconds(10));

        DatabaseUnavailable refused = failure(SERVER.url());
        outage.noticed("sessions", refused);

        assertThat(refused).isInstanceOf(DatabaseRefused.class);
        assertThat(outage.problem().orElse(""))
                .startsWith("the database does not let the account in: ")
                .contains("127.0.0.1:" + SERVER.address().getPort() + " refuses the account nobody_at_all");
    }

    private static DatabaseUnavailable failure(String url) {
        DatabaseAddress address = new DatabaseAddress(url, "nobody_at_all", "wrong");
        try (Database database = Database.single(address, Duration.ofSeconds(5))) {
            return catchThrowableOfType(
                    DatabaseUnavailable.class,
                    () -> database.autoCommit("heartbeat", handle -> handle.execute("do 0")));
        }
    }

    private static int closedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
