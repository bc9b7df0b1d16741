package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A node that is alone keeps prepared what finds no slot, and has to be told when it is worth trying again. */
@Tag("database")
class WaitingForSlotsTest {

    private static final int CAPACITY = 4;

    @RegisterExtension
    final TestDatabase server = new TestDatabase();

    @TempDir
    Path dir;

    private Playground playground;
    private HandDrivenNode node;

    @BeforeEach
    void begin() {
        playground = new Playground(server, dir);
        node = new HandDrivenNode("a", playground.address(), dir, CAPACITY);
        playground.nodes.add(node);
        node.keeper.runOnce();
        for (int i = 0; i <= CAPACITY; i++) {
            playground.rows.task(playground.job("j" + i, "0 0 1 1 *"), 20_000, true);
        }
        node.schedule();
        playground.rows.run(
                "update live_task set due_at = utc_timestamp(3) - interval 1 second where state = 'PREPARED'");
        node.clock.sample(java.time.Instant.now().plusSeconds(60), node.nanos.getAsLong(), node.nanos.getAsLong());
    }

    @AfterEach
    void close() throws IOException {
        playground.close();
    }

    @Test
    void it_is_worth_a_transaction_when_half_of_the_slots_are_free() {
        assertThat(node.scheduler.runOnce().more()).isFalse();
        assertThat(node.processes.started).hasSize(CAPACITY);
        assertThat(node.slots.areWorthFilling()).isFalse();

        endOne(0);
        assertThat(node.slots.areWorthFilling()).isFalse();
        endOne(1);
        assertThat(node.slots.areWorthFilling()).isTrue();

        node.scheduler.runOnce();
        assertThat(node.processes.started).hasSize(CAPACITY + 1);
        assertThat(node.slots.areWorthFilling()).isFalse();
    }

    @Test
    void a_single_free_slot_is_filled_when_the_rest_is_over() {
        node.scheduler.runOnce();
        endOne(0);

        Pass pass = node.scheduler.runOnce();

        assertThat(node.processes.started).hasSize(CAPACITY + 1);
        assertThat(pass.more()).isFalse();
    }

    @Test
    void what_was_taken_away_while_it_waited_waits_no_more() {
        node.scheduler.runOnce();
        playground.rows.run(
                "update live_task set state = 'IDLE', due_at = null, hold = 'TEST', hold_reason = '', launch_id = null, session_id = null where state = 'PREPARED'");
        node.compensator.runOnce();
        node.scheduler.runOnce();

        node.processes.end(0);

        assertThat(node.slots.areWorthFilling()).isFalse();
        assertThat(node.processes.started).hasSize(CAPACITY);
    }

    @Test
    void a_database_whose_clock_was_set_back_is_not_asked_without_end() {
        node.scheduler.runOnce();
        endOne(0);
        endOne(1);
        node.clock.sample(java.time.Instant.now().minusSeconds(3600), node.nanos.getAsLong(), node.nanos.getAsLong());

        Pass pass = node.scheduler.runOnce();

        assertThat(pass.more()).isFalse();
        assertThat(pass.rest()).isGreaterThan(Duration.ofMillis(10));
    }

    private void endOne(int index) {
        node.processes.end(node.processes.started.get(index).launchId(), 0);
    }
}
