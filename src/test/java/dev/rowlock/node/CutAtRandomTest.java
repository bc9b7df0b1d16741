package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.db.DatabaseUnavailable;
import dev.rowlock.support.TcpRelay;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes with real loops, whose connections are cut again and again at random. */
@Tag("database")
@Tag("slow")
class CutAtRandomTest {

    private static final int JOBS = 200;
    private static final Duration LENGTH = Duration.ofSeconds(12);
    private static final int MOST_EXTENSIONS = 20;

    @RegisterExtension
    final TestDatabase server = new TestDatabase();

    @TempDir
    Path dir;

    @Test
    void every_occurrence_has_its_row_and_is_started_once_however_often_connections_break() throws Exception {
        long seed = Long.getLong("rowlock.seed", System.nanoTime());
        System.out.println("rowlock.seed = " + seed);
        Random random = new Random(seed);
        try (Playground playground = new Playground(server, dir)) {
            for (int i = 0; i < JOBS; i++) {
                playground.everySecond("j" + i, 2);
            }
            List<TcpRelay> relays = new ArrayList<>();
            List<Loops> loops = new ArrayList<>();
            for (String name : List.of("a", "b", "c")) {
                TcpRelay relay = playground.relay();
                relays.add(relay);
                HandDrivenNode node = playground.node(name, playground.address(relay));
                node.processes.endAtOnce(0);
                loops.add(loops(node));
            }
            loops.forEach(Loops::start);

            cut(relays, random, System.nanoTime() + LENGTH.toNanos());
            // A busy machine gets less done in that time; what is to be proven needs this many, not this fast.
            for (int i = 0; i < MOST_EXTENSIONS && succeeded(playground) <= JOBS * 3L; i++) {
                cut(relays, random, System.nanoTime() + LENGTH.toNanos() / 4);
            }
            relays.forEach(TcpRelay::passThrough);
            loops.forEach(Loops::close);

            playground.nodes.forEach(CutAtRandomTest::settle);
            playground.nodes.forEach(CutAtRandomTest::settle);
            playground.invariants.check();
            playground.invariants.everythingStartedWasRecorded();
            assertThat(playground.rows.count("live_task where state = 'EXECUTING'"))
                    .isZero();
            assertThat(succeeded(playground)).isGreaterThan(JOBS * 3L);
            assertThat(playground.rows.count("task_history where outcome = 'FAILED'"))
                    .isZero();
        }
    }

    private static long succeeded(Playground playground) {
        return playground.rows.count("task_history where outcome = 'SUCCEEDED'");
    }

    private static Loops loops(HandDrivenNode node) {
        Loops loops = new Loops(new Outage(System::nanoTime, Duration.ZERO), new Failures(System::nanoTime));
        loops.add("sessions", node.keeper);
        loops.add("scheduler", node.scheduler);
        loops.add("results", node.recorder);
        loops.add("compensation", node.compensator);
        loops.add("reaper", node.reaper);
        return loops;
    }

    private static void cut(List<TcpRelay> relays, Random random, long untilNanos) throws IOException {
        while (System.nanoTime() < untilNanos) {
            TcpRelay relay = relays.get(random.nextInt(relays.size()));
            switch (random.nextInt(4)) {
                case 0 -> relay.cutAll();
                case 1 -> relay.cutBefore(TcpRelay.statement("commit"));
                default -> relay.cutAfter(TcpRelay.statement("commit"));
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100 + random.nextInt(500)));
        }
    }

    /** What is left to do by hand, once the loops stand still. */
    private static void settle(HandDrivenNode node) {
        throughCuts(node, node.keeper);
        throughCuts(node, node.recorder);
        throughCuts(node, node.compensator);
    }

    /** As its loop would: each connection may have been cut just before the loops were stopped, and its next use shows it. */
    private static void throughCuts(HandDrivenNode node, Step step) {
        for (int cut = 0; ; cut++) {
            try {
                step.runOnce();
                return;
            } catch (DatabaseUnavailable e) {
                if (cut == node.databases.size()) {
                    throw e;
                }
            }
        }
    }
}
