package dev.rowlock.chaos;

import dev.rowlock.chaos.Asked.PauseOfMany;
import dev.rowlock.chaos.SessionWatch.Presence;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Each check of pauses that end together finds what it is for, and nothing in a run that kept its promises. */
class PauseChecksTest extends Judged {

    private static final long UNTIL = 30;

    private void paused(String fields, @Nullable Long resumed) {
        story.sessions.add(new Presence("session-of-n0", "n0", -100_000, 200_000));
        story.asked.pauses.add(new PauseOfMany(Story.at(UNTIL * 1000), 25_000, 25_500));
        story.job(fields).version(0, fields, 25_200, resumed, true);
        if (resumed != null) {
            story.version(0, fields, resumed, null, false);
        }
    }

    @Test
    void jobs_go_on_when_their_pause_is_over() {
        paused("", 30_100L);
        second(UNTIL).withVersion(3).ran(30_200, 30_300).ended("SUCCEEDED");
        finds();
    }

    @Test
    void none_goes_on_long_after_the_others() {
        paused("", 36_000L);
        finds("LATE: chaos/job0 was paused with others until 2026-01-01T00:00:30Z, and went on at");
    }

    @Test
    void none_stays_paused() {
        paused("", null);
        finds("LATE: chaos/job0 was paused with others until 2026-01-01T00:00:30Z, and went on at null");
    }

    @Test
    void what_is_due_at_its_end_is_no_misfire() {
        paused("", 30_100L);
        second(UNTIL).withVersion(3).ended("MISSED", 43_000);
        finds("LATE: a misfire, though its pause with others ended");
    }

    @Test
    void nor_is_it_made_up_for() {
        paused("", 30_100L);
        second(UNTIL).withVersion(3).attempt(1, "CATCH_UP").ran(30_500, 30_600).ended("SUCCEEDED");
        finds("LATE: a misfire, though its pause with others ended");
    }

    @Test
    void it_starts_soon_if_it_waits_for_nothing() {
        paused("", 30_100L);
        second(UNTIL).withVersion(3).ran(38_000, 38_100).ended("SUCCEEDED");
        finds("LATE: started 8.00 s after the end of its pause with others");
    }

    @Test
    void it_may_wait_for_others_by_its_policies() {
        paused("\"overlap\": \"QUEUE\"", 30_100L);
        second(UNTIL).withVersion(3).ran(38_000, 38_100).ended("SUCCEEDED");
        finds();
    }

    @Test
    void it_may_be_missed_by_its_deadline() {
        paused("\"startDeadline\": \"4s\"", 30_100L);
        second(UNTIL).withVersion(3).ended("MISSED", 34_500);
        finds();
    }

    @Test
    void a_fault_near_by_excuses_all_of_that() {
        paused("", 36_000L);
        second(UNTIL).withVersion(3).ended("MISSED", 43_000);
        story.injected.add(new Injected(FaultKind.KILL, "SIGKILL", 20_000, 21_000, 0, List.of(), null));
        finds();
    }

    @Test
    void who_was_resumed_or_paused_by_somebody_else_is_not_judged() {
        paused("", 27_000L);
        second(UNTIL).withVersion(3).ended("MISSED", 43_000);
        finds();
    }
}
