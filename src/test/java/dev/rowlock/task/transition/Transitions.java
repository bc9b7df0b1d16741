package dev.rowlock.task.transition;

import dev.rowlock.cluster.ClusterSession;
import dev.rowlock.cluster.ClusterSession.SessionState;
import dev.rowlock.cluster.store.Sessions;
import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.definition.Outcome;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import dev.rowlock.task.Ending;
import dev.rowlock.task.LaunchId;
import dev.rowlock.task.Task;
import dev.rowlock.task.rule.Terms;
import dev.rowlock.task.store.Claim;
import dev.rowlock.task.store.Started;
import dev.rowlock.task.transition.Acquire.ScanBounds;
import dev.rowlock.task.transition.Start.NoSlot;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two sessions, and each arrow of the state machine to be driven by hand. */
@Tag("database")
public abstract class Transitions {

    protected static final String DEFINITION = "{\"schedule\": \"* * * * * *\", \"onLost\": \"RERUN\"}";

    protected static final Duration NOW = Duration.ZERO;

    @RegisterExtension
    protected final TestDatabase server = new TestDatabase();

    protected Database database;
    protected Rows rows;
    protected Acquire acquire;
    protected Start start;
    protected Finish finish;
    protected Release release;
    protected Sessions sessions;

    @BeforeEach
    void open() {
        DatabaseAddress address = new DatabaseAddress(server.url(), server.user(), server.password());
        database = Database.single(address, Duration.ofSeconds(10));
        rows = new Rows(server);
        acquire = new Acquire(database);
        start = Scans.start(database);
        finish = new Finish(database, "a", 3, Duration.ofSeconds(1));
        release = new Release(database);
        sessions = new Sessions(database, finish);
        sessions.join(member("one", "a"), List.of());
        sessions.join(member("two", "b"), List.of());
    }

    @AfterEach
    void close() {
        database.close();
    }

    protected List<Task> scan() {
        Duration far = Duration.ofHours(1);
        return acquire.scan(
                        new ScanBounds(
                                Instant.EPOCH,
                                DuePosition.at(Instant.EPOCH),
                                far,
                                far,
                                List.of(1, 2),
                                100,
                                ScanFilter.NOTHING),
                        null)
                .candidates();
    }

    protected List<Task> acquired(String session, Task task, int counter) {
        Instant next = task.cursor() ? task.fireTime().plusSeconds(3600) : null;
        return acquire.acquire(
                        session,
                        List.of(new Acquisition(task, launch(session, counter), List.of(), null, next, Terms.PLAIN)),
                        Instant.now())
                .tasks();
    }

    protected Task prepared(String session, long offsetMillis) {
        return prepared(session, rows.job("p" + offsetMillis, DEFINITION), offsetMillis, 7);
    }

    protected Task prepared(String session, long job, long offsetMillis, int counter) {
        long id = rows.task(job, offsetMillis, false);
        Task task = scan().stream().filter(c -> c.id() == id).findFirst().orElseThrow();
        return acquired(session, task, counter).get(0);
    }

    protected Task started(String session, long job, int counter) {
        return starting(session, job, counter).task();
    }

    protected Started starting(String session, long job, int counter) {
        Task prepared = prepared(session, job, -1000L - 10L * counter, counter);
        return start.start(session, "a", List.of(Claim.fire(prepared)), 10, NOW, NoSlot.GIVE_BACK)
                .started()
                .get(0);
    }

    protected static Ending ending(Task task, Outcome outcome) {
        return new Ending(task.ref(), outcome, null, Instant.now(), 5L, 0, null, 0L, null, null, null);
    }

    protected static LaunchId launch(String session, int counter) {
        return LaunchId.of(session, counter);
    }

    /** A session of a process of its own. */
    protected static ClusterSession member(String id, String node) {
        return new ClusterSession(
                id,
                new ClusterSession.Host("h", "boot", 1, id.hashCode()),
                node,
                "0",
                Map.of(),
                4,
                Instant.EPOCH,
                1,
                Instant.EPOCH,
                SessionState.ALIVE,
                0,
                0,
                0,
                Duration.ofSeconds(7),
                Map.of("session.timeout", "7s"),
                new ClusterSession.Configured(Map.of(), 4),
                false);
    }
}
