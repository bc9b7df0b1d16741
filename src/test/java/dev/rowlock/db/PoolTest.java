package dev.rowlock.db;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.nodes.Until;
import dev.rowlock.support.TcpRelay;
import dev.rowlock.support.TestDatabase;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Connections for requests while the database is away, and after. */
@Tag("database")
class PoolTest {

    private static final Duration AWAY = Duration.ofSeconds(7);

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    @Test
    void requests_go_on_at_once_when_the_database_is_back_however_long_it_was_away() throws Exception {
        try (TcpRelay relay = TcpRelay.to(SERVER.address());
                Database pool = pool(relay, Duration.ofSeconds(5))) {
            pool.reach();
            relay.goAway();
            long gone = System.nanoTime();
            Until.holds(Duration.ofSeconds(30), "the outage", () -> {
                assertThatThrownBy(pool::reach).isInstanceOf(DatabaseUnavailable.class);
                return System.nanoTime() - gone > AWAY.toNanos();
            });
            relay.passThrough();

            Until.holds(Duration.ofSeconds(3), "an answer", () -> isReached(pool));
        }
    }

    private static boolean isReached(Database pool) {
        try {
            pool.reach();
            return true;
        } catch (DatabaseUnavailable e) {
            return false;
        }
    }

    private static Database pool(TcpRelay relay, Duration patience) {
        return Database.pooled(
                new Servers(new DatabaseAddress(SERVER.urlThrough(relay.port()), SERVER.user(), SERVER.password())),
                2,
                patience);
    }
}
