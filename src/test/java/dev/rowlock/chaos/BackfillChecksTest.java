package dev.rowlock.chaos;

import org.junit.jupiter.api.Test;

/** Each check of backfills finds what it is for, and nothing in a run that kept its promises. */
class BackfillChecksTest extends Judged {

    /** Of three fire times, each a second. */
    private void asked(String fields, int parallel) {
        story.job(fields).backfill(0, parallel, 1000, 4000, 3);
        story.asked.backfills.add(
                new Asked.Backfill("chaos/job0", 1, Story.at(1000), Story.at(4000), true, 3, 5000, 5100, 202));
    }

    private Story.Task of(long number) {
        return second(number).ofBackfill(1);
    }

    @Test
    void one_after_the_other() {
        asked("", 1);
        of(1).ran(6000, 6500).ended("SUCCEEDED");
        of(2).ran(6600, 7000).ended("FAILED");
        of(3).because("the job was deleted").ended("CANCELLED", 8000);
        finds();
    }

    @Test
    void more_at_once_than_it_may() {
        asked("", 2);
        of(1).ran(6000, 8000).ended("SUCCEEDED");
        of(2).ran(6100, 8000).ended("SUCCEEDED");
        of(3).ran(7000, 8000).ended("SUCCEEDED");
        finds("CROWDED: 2 others of Backfilled");
    }

    @Test
    void beside_another_occurrence() {
        asked("", 1);
        of(1).ran(6000, 8000).ended("SUCCEEDED");
        second(7).ran(7000, 7100).ended("SUCCEEDED");
        of(2).ran(8100, 8200).ended("SUCCEEDED");
        of(3).ran(8300, 8400).ended("SUCCEEDED");
        finds("OVERLAPPING: 1000 ms, beside a backfill");
    }

    @Test
    void beside_others_where_the_job_allows_that() {
        asked("\"overlap\": \"ALLOW\"", 3);
        second(5).ran(5000, 9000).ended("SUCCEEDED");
        of(1).ran(6000, 8000).ended("SUCCEEDED");
        of(2).ran(6000, 8200).ended("SUCCEEDED");
        of(3).ran(6000, 8400).ended("SUCCEEDED");
        second(7).ran(7000, 7100).ended("SUCCEEDED");
        finds();
    }

    @Test
    void a_fire_time_without_a_task() {
        asked("", 1);
        of(1).ran(6000, 6500).ended("SUCCEEDED");
        of(3).ran(6600, 7000).ended("SUCCEEDED");
        finds("LOST: fire time 2026-01-01T00:00:02Z is not in", "LOST: 2 tasks for 3 fire times");
    }

    @Test
    void a_fire_time_with_two() {
        asked("\"overlap\": \"ALLOW\"", 3);
        of(1).ran(6000, 6500).ended("SUCCEEDED");
        of(2).ran(6600, 7000).ended("SUCCEEDED");
        of(3).ran(7000, 7500).ended("SUCCEEDED");
        of(3).ran(8000, 8500).ended("SUCCEEDED");
        finds("DOUBLED: 4 tasks for 3 fire times");
    }

    @Test
    void a_time_that_is_none() {
        asked("\"overlap\": \"ALLOW\"", 3);
        of(1).ran(6000, 6500).ended("SUCCEEDED");
        of(2).ran(6600, 7000).ended("SUCCEEDED");
        story.task(2500).ofBackfill(1).ran(7000, 7500).ended("SUCCEEDED");
        finds("LOST: fire time 2026-01-01T00:00:03Z is not in", "UNASKED: its schedule has no fire time");
    }

    @Test
    void skipped_or_missed() {
        asked("", 1);
        of(1).because("task 7 is executing").ended("SKIPPED", 6000);
        of(2).because("no node was there to run it in time").ended("MISSED", 6000);
        of(3).ran(7000, 7100).exit(75).ended("SKIPPED");
        finds("WRONG_OUTCOME: a task of a backfill was not", "WRONG_OUTCOME: a task of a backfill was not");
    }

    @Test
    void out_of_order() {
        asked("", 1);
        of(2).ran(6000, 6500).ended("SUCCEEDED");
        of(1).ran(6600, 7000).ended("SUCCEEDED");
        of(3).ran(7100, 7500).ended("SUCCEEDED");
        finds("DISORDERED: later than");
    }

    @Test
    void started_after_it_was_cancelled() {
        asked("", 1);
        story.asked.cancels.add(new Asked.Cancel(1, 6550, 6580));
        of(1).ran(6000, 6500).ended("SUCCEEDED");
        of(2).ran(6700, 7000).ended("SUCCEEDED");
        of(3).because("backfill 1 was cancelled by admin").ended("CANCELLED", 6570);
        finds("UNASKED: it started after its backfill was cancelled");
    }
}
