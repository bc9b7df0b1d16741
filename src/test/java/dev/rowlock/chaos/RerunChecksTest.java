package dev.rowlock.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.chaos.Asked.Rerun;
import dev.rowlock.chaos.SessionWatch.Presence;
import dev.rowlock.definition.Overlap;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Each check of reruns finds what it is for, and nothing in a run that kept its promises. */
class RerunChecksTest extends Judged {

    static Rerun request(long from, Map<Long, Long> made) {
        return request(from, made, Map.of());
    }

    private static Rerun request(long from, Map<Long, Long> made, Map<Long, String> leftOut) {
        return new Rerun("chaos/job0", Set.of("FAILED", "LOST", "MISSED"), 1, from, from + 100, made, leftOut);
    }

    private void asked(long from, long original, long task) {
        story.asked.reruns.add(request(from, Map.of(original, task)));
    }

    @Test
    void what_was_asked_for_runs_again_whatever_the_overlap_of_its_job() {
        for (Overlap overlap : Overlap.values()) {
            Story own = new Story().job("\"overlap\": \"" + overlap + "\", \"startDeadline\": \"4s\"");
            own.asked.reruns.add(request(20_000, Map.of(1L, 2L)));
            own.task(1000).ran(1000, 1100).exit(1).ended("FAILED");
            own.task(1000).rerun(1).ran(20_000, 22_000).ended("SUCCEEDED");
            assertThat(own.found()).isEmpty();
        }
    }

    @Test
    void a_rerun_is_neither_killed_nor_skipped_for_another() {
        story.job("\"overlap\": \"REPLACE\"");
        asked(4000, 1, 2);
        second(1).ran(1000, 1100).exit(1).ended("FAILED");
        second(1).rerun(1).ran(4000, 5000).replacedBy(3).ended("KILLED");
        second(5).ran(5000, 6000).ended("SUCCEEDED");
        finds("WRONG_OUTCOME: a rerun was to be killed for another task");
        asked(14_000, 4, 5);
        second(10).ran(10_000, 10_100).exit(1).ended("FAILED");
        second(10).rerun(4).because("task 6 was still executing (overlap SKIP)").ended("SKIPPED", 15_000);
        finds("WRONG_OUTCOME: a rerun was to be killed for another task", "WRONG_OUTCOME: a rerun was skipped");
    }

    @Test
    void nothing_starts_beside_a_rerun_unless_its_job_allows_that() {
        story.job("\"overlap\": \"REPLACE\"");
        asked(4000, 1, 2);
        second(1).ran(1000, 1100).exit(1).ended("FAILED");
        second(1).rerun(1).ran(4000, 7000).ended("SUCCEEDED");
        second(5).on("n1").ran(5000, 6000).ended("SUCCEEDED");
        finds("OVERLAPPING: 2000 ms, overlap REPLACE");
    }

    @Test
    void a_rerun_waits_for_others_but_others_need_not_wait_for_it() {
        story.job("\"overlap\": \"ALLOW\"");
        asked(4000, 1, 2);
        second(1).ran(1000, 1100).exit(1).ended("FAILED");
        second(1).rerun(1).ran(4000, 7000).ended("SUCCEEDED");
        second(5).on("n1").ran(5000, 6000).ended("SUCCEEDED");
        finds();
        second(6).on("n2").ran(3990, 8000).decided(4010).ended("SUCCEEDED");
        finds(); // it was allowed beside the rerun, and was only quicker to its first line
        second(2).on("n3").ran(2000, 4100).ended("SUCCEEDED");
        finds("OVERLAPPING: 100 ms, overlap QUEUE");
    }

    @Test
    void what_nobody_asked_for_does_not_run_again() {
        story.job("");
        second(1).ran(1000, 1100).exit(1).ended("FAILED");
        second(1).rerun(1).ran(4000, 5000).ended("SUCCEEDED");
        finds("DOUBLED: 1 reruns of chaos/job0, though at most 0", "UNASKED: nobody asked for what it repeats");
        asked(3000, 1, 2);
        finds();
        asked(7000, 3, 4);
        second(6).ran(6000, 6100).ended("SUCCEEDED");
        second(6).rerun(3).ran(7000, 7100).ended("SUCCEEDED");
        finds("UNASKED: nobody asked for what it repeats");
    }

    @Test
    void a_rerun_carries_the_fire_time_of_what_it_repeats() {
        story.job("");
        asked(3000, 1, 2);
        second(1).ran(1000, 1100).exit(1).ended("FAILED");
        second(2).rerun(1).ran(4000, 5000).ended("SUCCEEDED");
        finds("WRONG_OUTCOME: a rerun with another fire time");
    }

    @Test
    void what_was_attempted_again_is_not_run_again() {
        story.job("");
        asked(3000, 1, 3);
        second(1).ran(1000, 1100).ended("LOST");
        second(1).attempt(2, "RECOVERY").ran(2000, 2100).ended("SUCCEEDED");
        second(1).rerun(1).ran(4000, 5000).ended("SUCCEEDED");
        finds("DOUBLED: run again, though a further attempt was made");
    }

    @Test
    void only_what_has_not_come_to_its_end_is_asked_for_once_more() {
        story.job("");
        asked(3000, 1, 2);
        asked(6000, 1, 3);
        story.asked.kills.add(new Asked.Kill("", 2, 5000, false));
        second(1).ran(1000, 1100).exit(1).ended("FAILED");
        second(1).rerun(1).ran(4000, 5000).ended("KILLED");
        second(1).rerun(1).attempt(2, "MANUAL").ran(6000, 7000).ended("SUCCEEDED");
        finds();
        asked(8000, 1, 4);
        second(1).rerun(1).attempt(3, "MANUAL").ran(8000, 8100).ended("SUCCEEDED");
        finds("DOUBLED: run again once more without a reason");
    }

    @Test
    void what_was_killed_may_be_asked_for_again() {
        story.job("");
        asked(3000, 1, 2);
        story.asked.kills.add(new Asked.Kill("", 2, 5000, false));
        second(1).ran(1000, 1100).exit(1).ended("FAILED");
        second(1).rerun(1).ran(4000, 5000).ended("KILLED");
        String reason = "task 2 ran it again already, or is going to";
        story.asked.reruns.add(request(6000, Map.of(), Map.of(1L, reason)));
        finds(); // nobody can say whether it had ended by then
        story.asked.reruns.add(request(9000, Map.of(), Map.of(1L, reason)));
        finds("LOST: asked for again after task 2");
        second(1).id(9).rerun(1).attempt(2, "MANUAL").waits();
        finds();
    }

    @Test
    void what_an_answer_names_is_there() {
        story.job("");
        asked(3000, 1, 2);
        second(1).ran(1000, 1100).exit(1).ended("FAILED");
        finds("LOST: the answer named task 2");
        second(1).id(2).rerun(1).waits();
        finds();
        asked(4000, 1, 3);
        second(3).id(3).ran(3000, 3100).ended("SUCCEEDED");
        finds("LOST: the answer named it as a rerun of 1");
    }

    @Test
    void what_does_not_run_again_says_why() {
        story.job("");
        asked(3000, 1, 2);
        second(1).ran(1000, 1100).exit(1).ended("FAILED");
        second(1).rerun(1).ended("CANCELLED", 5000);
        finds("LOST: a rerun did not run, and nothing says why");
    }

    @Test
    void a_rerun_has_no_deadline_but_waits_for_a_node_only_so_long() {
        story.job("\"startDeadline\": \"4s\"");
        asked(30_000, 1, 2);
        second(1).ran(1000, 1100).exit(1).ended("FAILED");
        second(1).rerun(1).because("no node takes work").ended("MISSED", 42_500);
        finds();
        asked(50_000, 3, 4);
        second(20).ran(20_000, 20_100).exit(1).ended("FAILED");
        second(20).rerun(3).because("its startDeadline of 4s was over").ended("MISSED", 50_100);
        finds("AHEAD: a rerun was missed");
        String ahead = DatabaseClock.words(Duration.ofMinutes(-10));
        story.injected.add(new Injected(FaultKind.DATABASE_CLOCK, ahead, 50_000, 50_200, -1, List.of(), null));
        finds();
    }

    /** A broadcast that was missed as a whole, and runs again on two nodes. */
    private void broadcastAgain(String fields) {
        for (String node : new String[] {"n0", "n1"}) {
            story.sessions.add(new Presence("session-of-" + node, node, -10_000, 100_000));
        }
        story.job("\"broadcast\": true" + fields);
        asked(20_000, 1, 71);
        second(1).ended("MISSED", 13_500);
        second(1).rerun(1).id(71).because("2 tasks").ended("EXPANDED", 20_100);
        second(1).origin("node:n0#-1z").on("n0").ran(20_200, 22_000).ended("SUCCEEDED");
    }

    @Test
    void no_deadline_holds_for_what_a_broadcast_becomes_that_runs_again() {
        broadcastAgain(", \"startDeadline\": \"4s\"");
        second(1).origin("node:n1#-1z").on("n1").ran(20_300, 22_000).ended("SUCCEEDED");
        finds();
    }

    @Test
    void what_a_broadcast_becomes_that_runs_again_is_not_given_up() {
        broadcastAgain(", \"startDeadline\": \"4s\"");
        second(1)
                .origin("node:n1#-1z")
                .because("its startDeadline of 4s was over")
                .ended("MISSED", 20_200);
        finds("LOST: part of a rerun, missed though its node was there");
        story.conditions.drained("n1").asked(true, 20_000);
        finds();
    }

    @Test
    void nor_is_it_killed_for_the_next_occurrence() {
        broadcastAgain(", \"overlap\": \"REPLACE\"");
        second(1)
                .origin("node:n1#-1z")
                .on("n1")
                .ran(20_300, 21_000)
                .replacedBy(99)
                .ended("KILLED");
        finds("WRONG_OUTCOME: a rerun was to be killed for another task");
    }
}
