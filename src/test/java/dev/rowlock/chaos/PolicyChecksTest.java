package dev.rowlock.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.definition.Overlap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each check finds what it is for, and nothing in a run that kept its promises. */
class PolicyChecksTest extends Judged {

    @Test
    void one_run_at_a_time() {
        for (String overlap : List.of("SKIP", "QUEUE", "REPLACE")) {
            Story own = new Story().job("\"overlap\": \"" + overlap + "\"");
            own.task(1000).ran(1000, 3000).ended("SUCCEEDED");
            own.task(2000).on("n1").ran(2990, 4000).ended("SUCCEEDED");
            assertThat(own.found()).singleElement().asString().startsWith("OVERLAPPING: 10 ms, overlap " + overlap);
        }
    }

    @Test
    void runs_that_follow_each_other_are_fine() {
        story.job("\"overlap\": \"QUEUE\"");
        second(1).ran(1000, 3000).ended("SUCCEEDED");
        second(2).ran(3000, 4000).ended("SUCCEEDED");
        finds();
    }

    @Test
    void at_most_so_many_side_by_side() {
        story.job("\"overlap\": \"ALLOW\", \"overlapLimit\": 2");
        second(1).ran(1000, 9000).ended("SUCCEEDED");
        second(2).on("n1").ran(2000, 9000).ended("SUCCEEDED");
        finds();
        second(3).on("n2").ran(3000, 9000).ended("SUCCEEDED");
        finds("CROWDED: overlapLimit 2");
    }

    @Test
    void a_run_by_hand_may_say_otherwise_but_nobody_else() {
        story.job("");
        story.runs.add(new Operators.Run("chaos/job0", "key", 0, null, Overlap.ALLOW, false));
        second(1).ran(1000, 9000).ended("SUCCEEDED");
        second(2).byHand("key").ran(2000, 3000).ended("SUCCEEDED");
        finds();
        second(4).byHand("other").ran(4000, 5000).ended("SUCCEEDED");
        finds("OVERLAPPING", "UNASKED: nobody asked for the run other");
    }

    @Test
    void a_run_by_hand_executes_what_was_asked_for_where_it_was_asked_for() {
        story.job("");
        story.runs.add(new Operators.Run("chaos/job0", "key", 0, "n1", null, true));
        second(1).byHand("key+").on("n1").ran(1000, 2000).ended("SUCCEEDED");
        finds();
        second(3).byHand("key").on("n2").ran(3000, 4000).ended("SUCCEEDED");
        finds("MISPLACED: it was asked for on node n1", "WRONG_OUTCOME: another command");
    }

    @Test
    void a_command_sees_the_definition_that_history_names() {
        story.job("\"env\": {\"CHAOS_EDITION\": \"7\"}");
        second(1).edition("7").ran(1000, 2000).ended("SUCCEEDED");
        finds();
        second(3).edition("8").ran(3000, 4000).ended("SUCCEEDED");
        finds("WRONG_OUTCOME: its version says CHAOS_EDITION 7, but the command saw 8");
    }

    @Test
    void a_group_never_has_more_than_its_limit() {
        story.conditions.limit("few").asked(1, 0);
        story.conditions.limit("few").certain(10);
        story.job("\"group\": \"few\"").job("\"group\": \"few\"");
        second(1).of(0).ran(1000, 3000).ended("SUCCEEDED");
        second(3).of(1).on("n1").ran(3000, 5000).ended("SUCCEEDED");
        finds();
        second(4).of(0).on("n2").ran(4900, 6000).ended("SUCCEEDED");
        finds("CROWDED: group few with a limit of at most 1 had 1 others");
    }

    @Test
    void a_limit_holds_from_its_answer_on_and_ends_nothing() {
        Timeline<Integer> limit = story.conditions.limit("few");
        limit.asked(2, 0);
        limit.certain(10);
        limit.asked(1, 2000);
        limit.certain(2500);
        story.job("\"group\": \"few\"").job("\"group\": \"few\"");
        second(1).of(0).ran(1000, 9000).ended("SUCCEEDED");
        second(2).of(1).decided(2400).ran(2700, 4000).decided(2400).ended("SUCCEEDED");
        finds();
        second(5).of(1).ran(5000, 6000).ended("SUCCEEDED");
        finds("CROWDED");
    }

    @Test
    void a_group_that_is_stopped_starts_nothing() {
        story.job("\"group\": \"none\"");
        second(1).ran(1000, 2000).ended("SUCCEEDED");
        finds("CROWDED: group none with a limit of at most 0");
    }

    @Test
    void a_queue_keeps_its_order_also_with_retries() {
        story.job("\"overlap\": \"QUEUE\"");
        second(1).ran(1000, 2000).ended("LOST");
        second(1).attempt(2, "RECOVERY").ran(3000, 4000).ended("SUCCEEDED");
        second(2).ran(4000, 5000).ended("SUCCEEDED");
        finds();
        second(4).ran(6000, 7000).ended("SUCCEEDED");
        second(3).ran(8000, 9000).ended("SUCCEEDED");
        finds("DISORDERED: QUEUE");
    }

    @Test
    void nothing_is_killed_for_an_earlier_occurrence() {
        story.job("\"overlap\": \"REPLACE\"");
        second(2).ran(2000, 3000).replacedBy(2).ended("KILLED");
        second(3).ran(3000, 4000).ended("SUCCEEDED");
        finds();
        second(6).ran(6000, 7000).replacedBy(4).ended("KILLED");
        second(5).ran(7000, 8000).ended("SUCCEEDED");
        finds("DISORDERED: killed for an earlier occurrence");
    }

    @Test
    void a_retry_gives_way_to_the_next_occurrence() {
        story.job("\"retry\": {\"max\": 1, \"backoff\": \"1s\"}");
        second(1).ran(1000, 1100).exit(1).ended("FAILED");
        second(2).ran(2000, 2100).ended("SUCCEEDED");
        second(1).attempt(2, "RETRY").ran(3000, 3100).ended("SUCCEEDED");
        finds("DISORDERED: a retry, though a later occurrence has started");
    }

    @Test
    void retries_are_as_many_as_their_job_says() {
        story.job("\"retry\": {\"max\": 1, \"backoff\": \"1s\"}");
        second(1).ran(1000, 1100).exit(1).ended("FAILED");
        finds("LOST: its job asks for a retry, and there is none");
        second(1).attempt(2, "RETRY").ran(2100, 2200).exit(1).ended("FAILED");
        finds();
        second(1).attempt(3, "RETRY").ran(5000, 5100).ended("SUCCEEDED");
        finds("UNASKED: a retry that its job does not ask for, after 2 failures");
    }

    @Test
    void runs_by_hand_and_reruns_are_retried_as_well() {
        story.job("\"retry\": {\"max\": 1, \"backoff\": \"1s\"}");
        second(1).byHand("-").ran(1000, 1100).exit(1).ended("FAILED");
        finds("LOST: its job asks for a retry, and there is none");
        second(1).origin("run:1000").attempt(2, "RETRY").ran(2200, 2300).exit(1).ended("FAILED");
        finds();
        story.asked.reruns.add(RerunChecksTest.request(4000, Map.of(2L, 3L)));
        second(1).rerun(2).ran(4000, 4100).exit(1).ended("FAILED");
        finds("LOST: its job asks for a retry, and there is none");
        second(1).rerun(2).attempt(2, "RETRY").ran(5200, 5300).exit(1).ended("FAILED");
        finds();
    }

    @Test
    void what_is_asked_for_once_more_has_all_its_retries() {
        story.job("\"retry\": {\"max\": 1, \"backoff\": \"1s\"}");
        story.asked.reruns.add(RerunChecksTest.request(3000, Map.of(1L, 2L)));
        story.asked.reruns.add(RerunChecksTest.request(7000, Map.of(1L, 4L)));
        story.asked.kills.add(new Asked.Kill("", 3, 5000, false));
        second(1).ran(1000, 1100).ended("LOST");
        second(1).rerun(1).ran(3000, 3100).exit(1).ended("FAILED");
        second(1).rerun(1).attempt(2, "RETRY").ran(4200, 5000).ended("KILLED");
        second(1).rerun(1).attempt(3, "MANUAL").ran(7000, 7100).exit(1).ended("FAILED");
        finds("LOST: its job asks for a retry, and there is none");
        second(1).rerun(1).attempt(4, "RETRY").ran(8300, 8400).ended("SUCCEEDED");
        finds();
    }

    @Test
    void what_was_lost_between_does_not_count_as_a_retry() {
        story.job("\"retry\": {\"max\": 1, \"backoff\": \"1s\"}");
        second(1).ran(1000, 1100).ended("LOST");
        second(1).attempt(2, "RECOVERY").ran(2100, 2200).exit(1).ended("FAILED");
        second(1).attempt(3, "RETRY").ran(3300, 3400).ended("SUCCEEDED");
        finds();
    }

    @Test
    void retries_follow_the_ends_that_their_job_names() {
        story.job("\"retry\": {\"max\": 3, \"backoff\": \"1s\", \"onExitCodes\": [7], \"onTimeout\": false}");
        second(1).ran(1000, 1100).exit(7).ended("FAILED");
        second(1).attempt(2, "RETRY").ran(2200, 2300).exit(8).ended("FAILED");
        finds();
        second(1).attempt(3, "RETRY").ran(5000, 5100).ended("TIMED_OUT");
        finds("UNASKED");
        second(1).attempt(4, "RETRY").ran(9000, 9100).ended("SUCCEEDED");
        finds("UNASKED", "UNASKED");
    }

    @Test
    void a_retry_waits_for_its_backoff() {
        story.job("\"retry\": {\"max\": 2, \"backoff\": \"1s\"}");
        second(1).ran(1000, 1100).exit(1).ended("FAILED");
        second(1).attempt(2, "RETRY").ran(2050, 2100).exit(1).ended("FAILED");
        second(1).attempt(3, "RETRY").ran(3800, 3900).ended("SUCCEEDED");
        finds("AHEAD: retried 1700 ms after the failure");
    }

    @Test
    void a_selector_is_never_violated() {
        Timeline<Map<String, String>> zone = story.conditions.configured("n0");
        zone.asked(Map.of("zone", "north"), 0);
        zone.certain(0);
        story.conditions.patched("n0").asked(Map.of("disk", "ssd"), 4000);
        story.conditions.patched("n0").certain(4100);
        story.job("\"nodes\": \"zone=north, disk!=ssd\"");
        second(1).ran(1000, 2000).ended("SUCCEEDED");
        second(4).ran(4150, 4200).decided(4050).ended("SUCCEEDED");
        finds();
        second(5).ran(5000, 5100).ended("SUCCEEDED");
        finds("MISPLACED: its selector is");
    }

    @Test
    void a_drained_node_takes_nothing() {
        story.job("");
        story.conditions.drained("n0").asked(true, 1000);
        story.conditions.drained("n0").certain(1500);
        second(1).ran(1400, 2000).ended("SUCCEEDED");
        second(2).on("n1").ran(2000, 2500).ended("SUCCEEDED");
        finds();
        second(3).ran(3000, 3500).ended("SUCCEEDED");
        finds("MISPLACED: the node was drained");
    }

    @Test
    void a_node_has_so_many_of_a_job() {
        story.job("\"overlap\": \"ALLOW\", \"maxPerNode\": 1");
        second(1).ran(1000, 9000).ended("SUCCEEDED");
        second(2).on("n1").ran(2000, 9000).ended("SUCCEEDED");
        finds();
        second(3).ran(3000, 4000).ended("SUCCEEDED");
        finds("CROWDED: maxPerNode 1");
    }

    @Test
    void a_start_has_a_deadline_and_until_then_time() {
        story.job("\"startDeadline\": \"4s\"");
        second(1).ran(5000, 5100).ended("SUCCEEDED");
        second(6).ended("MISSED", 10_000);
        finds();
        second(10).ran(14_500, 14_600).ended("SUCCEEDED");
        second(20).ended("MISSED", 23_900);
        finds("LATE: started after its startDeadline", "AHEAD: missed, though it had PT4S");
    }

    @Test
    void what_is_overdue_is_decided_together() {
        story.job("\"misfireThreshold\": \"3s\"");
        second(1).ended("MISSED", 5000);
        second(4).ended("MISSED", 5000);
        finds();
        second(8).ended("MISSED", 9000);
        finds("AHEAD: missed, though it had PT3S");
    }

    @Test
    void the_first_mark_of_a_quiet_time_tells_a_deadline_too() {
        story.job("\"startDeadline\": \"4s\"");
        second(1).ran(8000, 8100).decided(4900).ended("SUCCEEDED");
        finds("LATE: started after its startDeadline");
    }

    @Test
    void a_misfire_that_is_to_be_skipped_does_not_run() {
        story.job("\"misfire\": \"SKIP\", \"misfireThreshold\": \"3s\"");
        second(1).ran(3900, 4000).ended("SUCCEEDED");
        finds();
        second(5).ran(8100, 8200).ended("SUCCEEDED");
        finds("LATE: misfire SKIP");
    }

    @Test
    void what_waited_until_misfires_were_to_be_skipped_may_run() {
        story.job("\"misfire\": \"SKIP\", \"misfireThreshold\": \"3s\"")
                .version(0, "\"overlap\": \"QUEUE\"", 0, 8000L, false)
                .version(0, "\"misfire\": \"SKIP\", \"misfireThreshold\": \"3s\"", 8000, null, false);
        second(5).ran(9000, 9100).ended("SUCCEEDED");
        finds();
        second(8).ran(13_000, 13_100).ended("SUCCEEDED");
        finds("LATE: misfire SKIP");
    }

    @Test
    void a_pause_holds_what_the_schedule_asks_for() {
        story.job("").version(0, "", 5000, 7000L, true).version(0, "", 7000, null, false);
        second(5).byHand("-").ran(6000, 6100).ended("SUCCEEDED");
        second(7).ran(7000, 7100).ended("SUCCEEDED");
        finds();
        second(6).ran(6500, 6600).ended("SUCCEEDED");
        finds("UNASKED: its job was paused");
    }

    @Test
    void a_job_runs_at_most_so_often() {
        story.job("\"maxRuns\": 1, \"onLost\": \"RERUN\"");
        second(1).ran(1000, 1100).ended("LOST");
        second(1).attempt(2, "RECOVERY").ran(2000, 2100).ended("SUCCEEDED");
        finds();
        second(3).ran(3000, 3100).ended("SUCCEEDED");
        finds("UNASKED: maxRuns 1, but there were 2");
    }

    @Test
    void a_clock_that_was_wrong_excuses_no_more_than_it_must() {
        story.injected.add(new Injected(FaultKind.DATABASE_CLOCK, "step", 2900, 3100, -1, List.of(), null));
        story.conditions.drained("n0").asked(true, 1000);
        story.conditions.drained("n0").certain(1500);
        story.job("");
        second(3).ran(3000, 3500).ended("SUCCEEDED");
        finds();
        second(30).ran(30_000, 30_500).ended("SUCCEEDED");
        finds("MISPLACED");
    }
}
