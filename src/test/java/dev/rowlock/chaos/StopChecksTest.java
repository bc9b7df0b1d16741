package dev.rowlock.chaos;

import dev.rowlock.chaos.Asked.Kill;
import dev.rowlock.chaos.Asked.Waiting;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each check of what people end finds what it is for, and nothing in a run that kept its promises. */
class StopChecksTest extends Judged {

    @Test
    void nothing_of_a_job_starts_once_it_was_deleted() {
        story.job("\"overlap\": \"ALLOW\"").deleted(0, 5000);
        second(4).ran(4900, 9000).ended("SUCCEEDED");
        second(5).ran(5200, 5300).decided(5000).ended("SUCCEEDED");
        finds();
        second(6).ran(6000, 6100).ended("SUCCEEDED");
        finds("UNASKED: its job was deleted");
    }

    @Test
    void a_clock_that_was_set_back_makes_a_deletion_later_than_it_says() {
        story.job("").deleted(0, 5000);
        second(6).ran(6000, 6100).ended("SUCCEEDED");
        finds("UNASKED: its job was deleted");
        String back = DatabaseClock.words(Duration.ofSeconds(-20));
        story.injected.add(new Injected(FaultKind.DATABASE_CLOCK, back, 24_000, 26_000, -1, List.of(), null));
        finds();
    }

    @Test
    void what_waits_when_its_job_is_deleted_is_cancelled() {
        story.job("\"group\": \"narrow\"").deleted(0, 5000);
        second(2).ended("SKIPPED", 3000);
        second(4).byHand("-").ended("CANCELLED", 5000);
        finds();
        second(3).byHand("-").ended("SKIPPED", 5000);
        second(4).ended("MISSED", 17_000);
        finds("WRONG_OUTCOME: it waited when its job was deleted", "WRONG_OUTCOME: it waited when its job was deleted");
    }

    @Test
    void nothing_is_left_of_a_job_that_was_deleted() {
        story.job("").deleted(0, 5000);
        second(4).id(7).byHand("-").waits();
        finds("STUCK: its job was deleted, and it is there still");
    }

    @Test
    void what_was_seen_to_wait_is_somewhere() {
        story.job("").deleted(0, 5000);
        story.asked.waiting.add(new Waiting(1, "chaos/job0", false, 4000));
        story.asked.waiting.add(new Waiting(9, "chaos/job0", true, 4000)); // another row may stand for it
        finds("LOST: it was seen to wait, and is nowhere");
        second(4).byHand("-").ended("CANCELLED", 5000);
        finds();
    }

    @Test
    void what_was_stopped_before_its_start_does_not_run() {
        story.job("");
        story.asked.kills.add(new Kill("", 1, 2000, true));
        finds("LOST: the answer says that it was stopped before its start");
        second(1).byHand("-").ended("CANCELLED", 2100);
        finds();
        story.asked.kills.add(new Kill("", 2, 3000, true));
        second(2).byHand("-").ran(4000, 4100).ended("SUCCEEDED");
        finds("WRONG_OUTCOME: stopped before its start");
    }

    @Test
    void nothing_is_killed_unless_somebody_asked_for_it() {
        story.job("");
        story.asked.kills.add(new Kill("chaos/job0", 0, 2000, false));
        second(1).ran(1000, 2000).ended("KILLED");
        second(3).ran(3000, 3500).replacedBy(4).ended("KILLED");
        second(4).ran(4000, 4500).ended("SUCCEEDED");
        finds();
        second(50).ran(50_000, 50_500).ended("KILLED");
        finds("UNASKED: killed, and nobody asked");
        story.asked.kills.add(new Kill("", 4, 50_400, false));
        finds();
    }
}
