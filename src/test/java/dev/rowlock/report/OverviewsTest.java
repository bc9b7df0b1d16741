package dev.rowlock.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.cluster.store.NodeSettings;
import dev.rowlock.cluster.store.SessionQueries;
import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.Servers;
import dev.rowlock.report.Overviews.DatabaseState;
import dev.rowlock.report.Overviews.Overview;
import dev.rowlock.support.TcpRelay;
import dev.rowlock.support.TestDatabase;
import dev.rowlock.task.history.RetentionTerms;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The overview answers, and says how old it is, whatever the database does. */
@Tag("database")
class OverviewsTest {

    /** Of its patience and what a busy machine takes on top. */
    private static final Duration SOON = Duration.ofSeconds(4);

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    @Test
    void it_answers_with_what_it_saw_last_while_the_database_is_slow_or_away() throws Exception {
        ExecutorService beside = Executors.newSingleThreadExecutor();
        try (TcpRelay relay = TcpRelay.to(SERVER.address());
                Database database = Database.pooled(
                        new Servers(
                                new DatabaseAddress(SERVER.urlThrough(relay.port()), SERVER.user(), SERVER.password())),
                        2,
                        Duration.ofSeconds(5))) {
            relay.blackhole(TcpRelay.Direction.TO_SERVER);
            long[] forward = {0};
            Overviews overviews = new Overviews(
                    new OverviewQueries(database), cluster(database), beside, () -> System.nanoTime() + forward[0]);

            Overview never = timed(overviews);
            assertThat(never.database().state()).isEqualTo(DatabaseState.SLOW);
            assertThat(never.seen()).isNull();

            relay.passThrough();
            Overview seen = await(overviews, DatabaseState.OK);
            assertThat(seen.seen()).isNotNull();
            assertThat(seen.database().trouble()).isZero();

            relay.blackhole(TcpRelay.Direction.TO_SERVER);
            forward[0] += Duration.ofMinutes(3).toNanos();
            Overview slow = timed(overviews);
            assertThat(slow.database().state()).isEqualTo(DatabaseState.SLOW);
            assertThat(slow.seen()).isNotNull();
            assertThat(slow.age()).isGreaterThan(Duration.ofMinutes(3));

            relay.goAway();
            Overview away = await(overviews, DatabaseState.AWAY);
            assertThat(away.seen()).isNotNull();
            assertThat(away.database().problem()).isNotBlank();

            relay.passThrough();
            Overview back = await(overviews, DatabaseState.OK);
            assertThat(back.age()).isLessThan(Duration.ofMinutes(3));
            assertThat(back.database().problem()).isNull();
        } finally {
            beside.shutdownNow();
        }
    }

    private static Cluster cluster(Database database) {
        return new Cluster(
                new SessionQueries(database),
                new NodeSettings(database),
                "a",
                session -> 64,
                Optional::empty,
                audit -> Instant.EPOCH,
                new RetentionTerms(database));
    }

    private static Overview timed(Overviews overviews) {
        long began = System.nanoTime();
        Overview answer = overviews.overview();
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(SOON);
        return answer;
    }

    private static Overview await(Overviews overviews, DatabaseState state) {
        long until = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        Overview answer = timed(overviews);
        while (answer.database().state() != state && System.nanoTime() < until) {
            answer = timed(overviews);
        }
        assertThat(answer.database().state()).isEqualTo(state);
        return answer;
    }
}
