package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.rowlock.db.DatabaseUnavailable;
import dev.rowlock.support.TcpRelay;
import dev.rowlock.support.TcpRelay.Trap;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each arrow of the state machine with the connection cut around its commit: nothing may be assumed, and nothing may go wrong. */
@Tag("database")
class LostAnswersTest {

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    private static final Duration LIMIT = Duration.ofSeconds(10);

    @TempDir
    Path dir;

    private Playground playground;
    private TcpRelay relay;
    /** The node whose connection is cut, and one that has a good one. */
    private HandDrivenNode a;

    private HandDrivenNode b;

    private enum Cut {
        BEFORE_COMMIT,
        AFTER_COMMIT
    }

    private enum Arrow {
        ACQUIRE,
        FIRE,
        TAKEOVER,
        FINISH,
        RELEASE,
        RESET_PREPARED,
        RESET_EXECUTING,
        SETTLE_MISFIRES,
        JOIN,
        JOIN_AGAIN,
        FINISH_TO_JOIN,
        LEAVE,
        FINISH_TO_LEAVE,
        EXPIRE,
        HEARTBEAT
    }

    static Stream<Arguments> cuts() {
        List<Arguments> cuts = new ArrayList<>();
        for (Arrow arrow : Arrow.values()) {
            for (Cut cut : Cut.values()) {
                cuts.add(Arguments.of(arrow, cut));
            }
        }
        return cuts.stream();
    }

    @BeforeEach
    void open() throws IOException {
        playground = new Playground(SERVER, dir);
        relay = playground.relay();
    }

    @AfterEach
    void close() throws IOException {
        playground.close();
    }

    @ParameterizedTest(name = "{0}, cut {1}")
    @MethodSource("cuts")
    void nothing_is_lost_and_nothing_runs_twice_when_the_connection_breaks_around_a_commit(Arrow arrow, Cut cut)
            throws InterruptedException {
        b = playground.joined("b", playground.address());
        a = arrow == Arrow.JOIN
                ? playground.node("a", playground.address(relay))
                : playground.joined("a", playground.address(relay));
        Runnable step = made(arrow);
        Predicate<String> statement = arrow == Arrow.HEARTBEAT ? LostAnswersTest::isBeat : TcpRelay.commit();
        Trap trap = cut == Cut.BEFORE_COMMIT ? relay.cutBefore(statement) : relay.cutAfter(statement);

        Throwable thrown = catchThrowable(step::run);

        assertThat(trap.awaitSprung(LIMIT)).isTrue();
        assertThat(thrown == null || thrown instanceof DatabaseUnavailable)
                .as("%s", thrown)
                .isTrue();
        List<HandDrivenNode> alive = arrow == Arrow.EXPIRE ? List.of(a) : List.of(a, b);
        String overdue = playground.rows.one("select utc_timestamp(3) - interval 1 second");
        for (int i = 0; i < 2; i++) {
            alive.forEach(Playground::round);
        }
        playground.nodes.retainAll(alive);
        playground.invariants.check();
        playground.invariants.everythingStartedWasRecorded();
        assertThat(playground.rows.count("session")).isEqualTo(alive.size());
        assertThat(playground.rows.count("live_task where state = 'PREPARED' and due_at < '" + overdue + "'"))
                .isZero();
        assertThat(alive.stream()
                        .mapToInt(node -> node.processes.started.size())
                        .sum())
                .isPositive();
    }

    @Test
    void after_a_fire_whose_answer_was_lost_later_fire_times_of_the_job_run_once_each() throws InterruptedException {
        a = playground.joined("a", playground.address(relay));
        b = playground.joined("b", playground.address());
        playground.everySecond("j", 0);
        poll(a);
        Trap trap = relay.cutAfter(TcpRelay.commit());
        assertThat(catchThrowable(() -> poll(a))).isInstanceOf(DatabaseUnavailable.class);
        assertThat(trap.awaitSprung(LIMIT)).isTrue();
        assertThat(a.processes.started).isEmpty();

        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (playground.rows.count("task_history where outcome = 'SUCCEEDED'") < 4 && System.nanoTime() < deadline) {
            Playground.round(a);
            Playground.round(b);
        }

        assertThat(playground.rows.count("task_history where outcome = 'SUCCEEDED'"))
                .isGreaterThanOrEqualTo(4);
        a.compensator.runOnce(); // on a slow machine the other one takes over what this one is late to start
        playground.invariants.check();
        playground.invariants.everythingStartedWasRecorded();
    }

    /** Brings the cluster to where the arrow is next, and answers the step that takes it. */
    private Runnable made(Arrow arrow) {
        playground.everySecond("j", arrow == Arrow.SETTLE_MISFIRES ? -600 : -3);
        switch (arrow) {
            case ACQUIRE, SETTLE_MISFIRES -> {
                return () -> poll(a);
            }
            case FIRE -> {
                poll(a);
                return () -> poll(a);
            }
            case TAKEOVER -> {
                poll(b);
                return () -> poll(a);
            }
            case FINISH -> {
                a.schedule();
                a.processes.end(0);
                return a.recorder::runOnce;
            }
            case RELEASE -> {
                poll(a);
                return a.departure::giveBackPrepared;
            }
            case RESET_PREPARED -> {
                poll(a);
                a.forgetPrepared();
                return a.compensator::runOnce;
            }
            case RESET_EXECUTING -> {
                a.schedule();
                a.processes.refuse();
                a.processes.started.clear();
                return a.compensator::runOnce;
            }
            case JOIN, HEARTBEAT -> {
                return a.keeper::runOnce;
            }
            case JOIN_AGAIN -> {
                poll(a);
                a.nanos.advance(HandDrivenNode.FENCE);
                return a.keeper::runOnce;
            }
            case FINISH_TO_JOIN -> {
                a.schedule();
                a.processes.end(0);
                a.nanos.advance(HandDrivenNode.FENCE);
                return a.keeper::runOnce;
            }
            case LEAVE -> {
                poll(a);
                return a.departure::leave;
            }
            case FINISH_TO_LEAVE -> {
                a.schedule();
                a.processes.end(0);
                return a.departure::leave;
            }
            case EXPIRE -> {
                b.schedule();
                a.beatFor(HandDrivenNode.TIMEOUT.plusSeconds(4));
                return a.reaper::runOnce;
            }
        }
        throw new IllegalStateException(arrow.name());
    }

    private static boolean isBeat(String sql) {
        return sql.strip().toLowerCase(Locale.ROOT).startsWith("update session");
    }

    private static void poll(HandDrivenNode node) {
        node.pollSoon();
        node.scheduler.runOnce();
    }
}
