package dev.rowlock.chaos;

import dev.rowlock.chaos.SessionWatch.Presence;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each check of slots finds what it is for, and nothing in a run that kept its promises. */
class SlotChecksTest extends Judged {

    private static final long FIRE = 30;

    /** One node with two slots that is full from the fire time on for twenty seconds, and an idle one. */
    private void fullBesideIdle() {
        story.sessions.add(new Presence("session-of-n0", "n0", -100_000, 200_000));
        story.sessions.add(new Presence("session-of-n1", "n1", -100_000, 200_000));
        story.conditions.slots("n0").asked(2, 0);
        story.conditions.slots("n0").certain(100);
        story.job("").job("\"overlap\": \"ALLOW\"");
        for (int i = 0; i < 2; i++) {
            story.task(29_000 + i).of(1).byHand("-").ran(29_000, 50_000).ended("SUCCEEDED");
        }
    }

    @Test
    void a_node_executes_no_more_than_it_has_slots() {
        fullBesideIdle();
        finds();
        story.task(29_900).of(1).byHand("-").ran(30_000, 31_000).ended("SUCCEEDED");
        finds("CROWDED: node n0 with 2 slots executed 3");
    }

    @Test
    void slots_that_are_taken_away_end_nothing_and_are_learnt_of_later() {
        fullBesideIdle();
        story.conditions.slots("n0").asked(1, 35_000);
        story.conditions.slots("n0").certain(35_500);
        finds();
        story.conditions.slots("n0").asked(3, 36_000);
        story.task(36_000).of(1).byHand("-").ran(36_100, 37_000).ended("SUCCEEDED");
        finds();
    }

    @Test
    void what_a_full_node_cannot_start_an_idle_one_does() {
        fullBesideIdle();
        second(FIRE).on("n1").ran(32_000, 33_000).ended("SUCCEEDED");
        finds();
        second(FIRE + 2).ran(50_000, 51_000).ended("SUCCEEDED");
        finds("LATE: started after 18.00 s while [n0] was full and [n1] idle");
    }

    @Test
    void what_a_full_node_cannot_start_is_not_missed() {
        fullBesideIdle();
        second(FIRE).ended("MISSED", 42_500);
        finds("LATE: missed after 12.50 s while [n0] was full");
    }

    @Test
    void a_fault_near_by_excuses_that() {
        fullBesideIdle();
        second(FIRE).ran(50_000, 51_000).ended("SUCCEEDED");
        finds("LATE");
        story.injected.add(new Injected(FaultKind.FREEZE, "SIGSTOP", 10_000, 19_000, 0, List.of(), null));
        finds();
    }

    @Test
    void so_does_another_node_that_is_full_drained_or_gone() {
        fullBesideIdle();
        second(FIRE).ran(50_000, 51_000).ended("SUCCEEDED");
        finds("LATE");
        story.conditions.drained("n1").asked(true, 40_000);
        finds();
    }

    @Test
    void a_selector_excuses_that_unless_the_idle_node_matches_it_all_the_while() {
        Timeline<Map<String, String>> labels = story.conditions.patched("n1");
        labels.asked(Map.of("disk", "ssd"), 0);
        labels.certain(100);
        fullBesideIdle();
        story.job("\"nodes\": \"disk=ssd\"").job("\"nodes\": \"!gpu\"");
        second(FIRE).of(2).on("n1").ran(50_000, 51_000).ended("SUCCEEDED");
        finds("LATE");
        labels.asked(Map.of("gpu", "yes", "disk", "ssd"), 40_000);
        second(FIRE).of(3).ran(50_000, 51_000).ended("SUCCEEDED");
        finds("LATE");
    }

    @Test
    void what_may_wait_for_something_else_is_not_judged() {
        fullBesideIdle();
        story.job("\"group\": \"wide\"").job("\"overlap\": \"QUEUE\"").job("\"maxPerNode\": 1");
        story.conditions.limit("wide").asked(4, 0);
        for (int job = 2; job < 5; job++) {
            second(FIRE).of(job).on("n2").ran(50_000, 51_000).ended("SUCCEEDED");
        }
        finds();
    }

    @Test
    void a_pause_excuses_that() {
        fullBesideIdle();
        story.job("").version(2, "", 31_000, 49_000L, true).version(2, "", 49_000, null, false);
        second(FIRE).of(2).withVersion(3).ran(50_000, 51_000).ended("SUCCEEDED");
        finds();
    }
}
