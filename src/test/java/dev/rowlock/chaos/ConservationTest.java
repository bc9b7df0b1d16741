package dev.rowlock.chaos;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Fire times of several lines and of calendars are accounted for once each, and so are commands that decline. */
class ConservationTest extends Judged {

    /** Deleted before second 5. */
    private void lines() {
        story.job("\"schedule\": [\"1/2 * * * * *\", \"1/4 * * * * *\", \"2 * * * * *\"]")
                .deleted(0, 4500);
    }

    private void ran(long number) {
        second(number).ran(number * 1000, number * 1000 + 100).ended("SUCCEEDED");
    }

    @Test
    void the_instants_of_all_lines_once_each() {
        lines();
        ran(1);
        ran(2);
        ran(3);
        misses();
    }

    @Test
    void one_of_another_line_than_the_first_is_lost() {
        lines();
        ran(1);
        ran(3);
        misses("LOST: fire time 2026-01-01T00:00:02Z of chaos/job0", "LOST: job 0 (chaos/job0) had 3 fire times");
    }

    @Test
    void an_instant_of_two_lines_fires_twice() {
        lines();
        ran(1);
        ran(2);
        ran(3);
        second(1).because("twice").ended("SKIPPED", 1100);
        misses("DOUBLED: job 0 (chaos/job0) had 3 fire times, but history and live tasks account for 4");
    }

    @Test
    void a_closed_day_asks_for_nothing() {
        story.calendars.put(
                "plain 1", new DrawnCalendar("", DrawnCalendar.everyDay(), List.of("2026-01-01"), List.of()));
        story.job("\"calendar\": \"plain\", \"calendarVersions\": {\"plain\": \"1\"}")
                .deleted(0, 4500);
        misses();
        ran(2);
        misses("DOUBLED: job 0", "UNASKED: its schedule");
    }

    @Test
    void what_a_freeze_skips_is_accounted_for() {
        story.job("").deleted(0, 2500);
        ran(1);
        second(2).because("freeze 1 by admin until 2026-01-01T00:00:20Z").ended("SKIPPED", 2050);
        misses();
    }

    @Test
    void a_backfill_accounts_for_no_fire_time_of_the_schedule() {
        story.job("").deleted(0, 2500).backfill(0, 1, 2000, 3000, 1);
        ran(1);
        second(2).ofBackfill(1).ran(2100, 2200).ended("SUCCEEDED");
        misses("LOST: fire time 2026-01-01T00:00:02Z of chaos/job0");
    }

    @Test
    void a_command_declines() {
        story.job("\"skipExitCodes\": [75]").deleted(0, 1500);
        second(1).ran(1000, 1100).exit(75).ended("SKIPPED");
        misses();
    }

    @Test
    void one_is_said_to_decline_that_succeeded() {
        story.job("\"skipExitCodes\": [75]").deleted(0, 1500);
        second(1).ran(1000, 1100).exit(0).ended("SKIPPED");
        misses("WRONG_OUTCOME: SKIPPED with an exit code that does not decline");
    }

    @Test
    void one_that_declines_is_said_to_have_failed() {
        story.job("\"skipExitCodes\": [75]").deleted(0, 1500);
        second(1).ran(1000, 1100).exit(75).ended("FAILED");
        misses("WRONG_OUTCOME: the command declined");
    }

    @Test
    void one_is_said_to_decline_before_its_command_has_ended() {
        story.job("\"skipExitCodes\": [75]").deleted(0, 1500);
        second(1).exit(75).ended("SKIPPED", 1100);
        misses("LOST: SKIPPED as declined, but the command has not come to its end");
    }
}
