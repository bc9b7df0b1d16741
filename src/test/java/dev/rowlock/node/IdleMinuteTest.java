package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.support.IdleJobs;
import dev.rowlock.support.TcpRelay;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What a node asks of the database while nothing is due. */
@Tag("database")
class IdleMinuteTest {

    @RegisterExtension
    final TestDatabase server = new TestDatabase();

    @TempDir
    Path dir;

    @Test
    void a_minute_in_which_nothing_is_due_costs_three_statements_a_second_at_most() throws IOException {
        try (Playground playground = new Playground(server, dir)) {
            IdleJobs.insert(playground.rows, 1000);
            TcpRelay relay = playground.relay();
            HandDrivenNode a = playground.joined("a", playground.address(relay));
            minute(a);
            long before = relay.statements();

            minute(a);

            assertThat(a.lease.current()).isPresent();
            assertThat(relay.statements() - before).isBetween(60L, 180L);
        }
    }

    private static void minute(HandDrivenNode node) {
        for (int second = 0; second < 60; second++) {
            node.nanos.advance(Duration.ofSeconds(1));
            if (second % 2 == 0) {
                node.keeper.runOnce();
            }
            if (second % 4 == 0) {
                node.compensator.runOnce();
            }
            node.scheduler.runOnce();
            node.recorder.runOnce();
            node.reaper.runOnce();
            node.fence.runOnce();
        }
    }
}
