package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.cluster.DatabaseClock;
import dev.rowlock.cluster.store.ClockNotes;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Machines that their hypervisor paused: to them the database's clock leaps, and another node knows better. */
class PausedMachineTest extends LeapingClock {

    @Test
    void a_node_that_was_paused_takes_the_word_of_one_that_was_not() {
        HandDrivenNode other = another("b");
        ClockWatch watch = watch();
        ClockWatch othersWatch = watch(other);
        pause(node, other, Duration.ofMinutes(10));
        long before = ran();
        watch.runOnce();
        assertThat(node.clock.doubt()).isPresent();

        other.keeper.runOnce();
        othersWatch.runOnce();
        watch.runOnce();

        assertThat(node.clock.doubt()).isEmpty();
        assertThat(Duration.between(node.clock.now(), cluster.time.now()).abs()).isLessThan(STRETCH);
        assertThat(cluster.rows.count("setting where name like 'clock-%'")).isZero();
        cluster.work(MINUTE, STRETCH);
        assertThat(ran()).isGreaterThan(before + 5);
        cluster.addsUp();
        other.keeper.runOnce();
        othersWatch.runOnce();
        assertThat(cluster.rows.count("setting where name like 'clock-%'")).isZero();
    }

    @Test
    void a_node_that_starts_meanwhile_holds_back_no_longer_than_the_one_that_was_paused() {
        HandDrivenNode other = another("b");
        pause(node, other, Duration.ofMinutes(10));
        watch().runOnce();
        DatabaseClock fresh = new DatabaseClock(node.nanos, () -> 0);
        ClockWatch freshWatch = new ClockWatch(fresh, node.nanos, new ClockNotes(node.databases.get(0)));
        freshWatch.recall();
        assertThat(fresh.doubt()).isPresent();
        fresh.sample(cluster.time.now(), node.nanos.getAsLong(), node.nanos.getAsLong());

        other.keeper.runOnce();
        watch(other).runOnce();
        freshWatch.runOnce();

        assertThat(fresh.doubt()).isEmpty();
        watch().runOnce(); // its doubt was cleared together with the word of the other
        other.keeper.runOnce();
        watch(other).runOnce();
        watch().runOnce();
        assertThat(node.clock.doubt()).isEmpty();
    }

    @Test
    void of_a_clock_that_leapt_nobody_says_that_it_went_by() {
        HandDrivenNode sawIt = another("b");
        HandDrivenNode hasNotSeenIt = another("c");
        cluster.time.step(HOUR);
        node.keeper.runOnce();
        watch().runOnce();
        HandDrivenNode joinedAfter = another("d");
        hasNotSeenIt.clock.doubtedByAny(true);
        watch(hasNotSeenIt).runOnce();
        assertThat(cluster.rows.count("setting where name = 'clock-witness'")).isZero();
        for (HandDrivenNode each : List.of(sawIt, hasNotSeenIt, joinedAfter)) {
            each.keeper.runOnce();
            watch(each).runOnce();
        }
        watch().runOnce();

        assertThat(joinedAfter.clock.doubt()).isEmpty(); // it recalled nothing, and cannot know
        for (HandDrivenNode each : List.of(node, sawIt, hasNotSeenIt)) {
            assertThat(each.clock.doubt()).isPresent();
        }
        assertThat(cluster.rows.count("setting where name = 'clock-doubt'")).isEqualTo(1);
    }

    @Test
    void two_that_were_paused_together_do_not_vouch_for_each_other() {
        HandDrivenNode neighbour = another("b");
        Duration before = neighbour.suspended;
        cluster.time.advanceWithout(node, Duration.ofMinutes(10));
        neighbour.suspended = before;
        for (int i = 0; i < 2; i++) {
            for (HandDrivenNode each : List.of(node, neighbour)) {
                each.keeper.runOnce();
                watch(each).runOnce();
            }
        }

        assertThat(node.clock.doubt()).isPresent();
        assertThat(neighbour.clock.doubt()).isPresent();
    }

    @Test
    void a_doubt_of_a_node_that_is_gone_is_forgotten_when_it_has_stood() {
        HandDrivenNode other = another("b");
        pause(node, other, Duration.ofMinutes(10));
        watch().runOnce();
        cluster.crash("a");
        cluster.time.advance(DatabaseClock.STANDS);
        other.keeper.runOnce();
        watch(other).runOnce();
        other.keeper.runOnce();

        assertThat(cluster.rows.count("setting where name = 'clock-doubt'")).isZero();
        assertThat(other.clock.isDoubtedByAny()).isFalse();
    }

    private HandDrivenNode another(String name) {
        cluster.join(name);
        return cluster.nodes().get(cluster.nodes().size() - 1);
    }
}
