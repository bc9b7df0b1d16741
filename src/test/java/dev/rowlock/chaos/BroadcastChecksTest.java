package dev.rowlock.chaos;

import dev.rowlock.chaos.SessionWatch.Presence;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each check of broadcasts finds what it is for, and nothing in a run that kept its promises. */
class BroadcastChecksTest extends Judged {

    private void present(String... nodes) {
        for (String node : nodes) {
            story.sessions.add(new Presence("session-of-" + node, node, -10_000, 100_000));
        }
    }

    @Test
    void a_broadcast_reaches_each_node_once() {
        present("n0", "n1");
        story.sessions.add(new Presence("late", "n2", 9_900, 100_000));
        story.job("\"broadcast\": true");
        second(10).ended("EXPANDED", 10_000);
        second(10).origin("node:n0").on("n0").ran(10_000, 10_100).ended("SUCCEEDED");
        finds("LOST: 0 tasks on node n1");
        second(10).origin("node:n1").on("n1").ran(10_000, 10_100).ended("SUCCEEDED");
        finds();
        second(10).origin("node:n1").on("n1").ran(12_000, 12_100).ended("SUCCEEDED");
        finds("DOUBLED: 2 tasks on node n1");
    }

    @Test
    void a_broadcast_that_somebody_asked_for_is_one_of_its_own() {
        present("n0", "n1");
        story.job("\"broadcast\": true");
        second(10).ended("EXPANDED", 10_000);
        second(10).origin("node:n0").on("n0").ran(10_000, 10_100).ended("SUCCEEDED");
        second(10).origin("node:n1").on("n1").ran(10_000, 10_100).ended("SUCCEEDED");
        second(10).origin("run:x").id(71).ended("EXPANDED", 10_000);
        second(10).origin("node:n0#1z").on("n0").ran(10_200, 10_300).ended("SUCCEEDED");
        finds("LOST: 0 tasks on node n1");
        second(10).origin("node:n1#1z").on("n1").ran(10_200, 10_300).ended("SUCCEEDED");
        finds();
        second(10).origin("node:n1#zz").on("n0").ran(12_200, 12_300).ended("SUCCEEDED");
        finds("MISPLACED: it was meant for another node");
    }

    @Test
    void a_broadcast_may_be_asked_for_on_one_node() {
        present("n0", "n1");
        story.job("\"broadcast\": true");
        story.runs.add(new Operators.Run("chaos/job0", "x", 71, "n1", null, false));
        second(10).origin("run:x").id(71).ended("EXPANDED", 10_000);
        finds("LOST: 0 tasks on node n1");
        second(10).origin("node:n1#1z").on("n1").ran(10_200, 10_300).ended("SUCCEEDED");
        finds();
    }

    @Test
    void a_broadcast_leaves_alone_whom_its_selector_does_not_match() {
        present("n0");
        story.job("\"broadcast\": true, \"nodes\": \"gpu\"");
        second(10).ended("EXPANDED", 10_000);
        finds();
    }

    @Test
    void a_task_of_a_broadcast_stays_on_its_node_which_does_not_give_it_up() {
        present("n0", "n1");
        story.job("\"broadcast\": true");
        second(10).ended("EXPANDED", 10_000);
        second(10).origin("node:n0").on("n1").ran(10_000, 10_100).ended("SUCCEEDED");
        second(10).origin("node:n1").ended("MISSED", 11_000);
        finds("LOST: missed, though its node was there", "MISPLACED: it was meant for another node");
    }

    @Test
    void when_a_task_of_a_broadcast_was_given_up_is_not_known_if_the_clock_was_set_back() {
        present("n0", "n1");
        story.job("\"broadcast\": true");
        second(20).ended("EXPANDED", 20_000);
        second(20).origin("node:n0").on("n0").ran(20_000, 20_100).ended("SUCCEEDED");
        second(20).origin("node:n1").on("n1").ended("MISSED", 5_000);
        finds();
    }

    @Test
    void it_was_given_up_later_than_a_clock_said_that_was_set_back() {
        present("n0");
        story.sessions.add(new Presence("ends", "n1", -10_000, 25_000));
        story.job("\"broadcast\": true");
        second(10).ended("EXPANDED", 10_000);
        second(10).origin("node:n0").on("n0").ran(10_000, 10_100).ended("SUCCEEDED");
        second(10).origin("node:n1").on("n1").ended("MISSED", 11_000);
        finds("LOST: missed, though its node was there");

        String back = DatabaseClock.words(Duration.ofSeconds(-20));
        story.injected.add(new Injected(FaultKind.DATABASE_CLOCK, back, 30_900, 40_000, -1, List.of(), null));
        finds();
    }

    @Test
    void a_broadcast_goes_to_so_many_at_a_time_and_stops_at_a_failure() {
        story.job("\"broadcast\": true, \"broadcastParallel\": 1, \"stopOnFailure\": true");
        second(10).origin("node:n0").on("n0").ran(10_000, 12_000).exit(1).ended("FAILED");
        finds();
        second(10).origin("node:n1").on("n1").ran(11_000, 13_000).ended("SUCCEEDED");
        second(10).origin("node:n2").on("n2").ran(14_000, 15_000).ended("SUCCEEDED");
        finds("CROWDED: broadcastParallel 1", "UNASKED: started after a failure that stops the rest");
    }

    @Test
    void what_is_broadcast_does_not_run_by_itself() {
        story.job("\"broadcast\": true");
        second(1).ran(1000, 1100).ended("SUCCEEDED");
        finds("MISPLACED: a broadcast, but not made for one node");
    }

    @Test
    void nodes_of_a_broadcast_do_not_wait_for_each_other() {
        story.job("\"broadcast\": true");
        second(1).origin("node:n0").on("n0").ran(1000, 5000).ended("SUCCEEDED");
        second(1).origin("node:n1").on("n1").ran(1000, 5000).ended("SUCCEEDED");
        finds();
    }
}
