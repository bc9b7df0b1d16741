package dev.rowlock.chaos;

import dev.rowlock.chaos.Asked.Stop;
import dev.rowlock.chaos.Asked.Waiting;
import dev.rowlock.chaos.SessionWatch.Presence;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A group that was stopped starts nothing, and goes on when it may. What else is checked of groups, see PolicyChecksTest. */
class GroupChecksTest extends Judged {

    /** Stopped from 20 s to 30 s, with one task that waits behind that. */
    private void stopped(String fields) {
        story.sessions.add(new Presence("session-of-n0", "n0", -100_000, 200_000));
        Timeline<Integer> limit = story.conditions.limit("pair");
        limit.asked(2, 0);
        limit.certain(10);
        limit.asked(0, 20_000);
        limit.certain(20_100);
        limit.asked(2, 30_000);
        limit.certain(30_100);
        story.job("\"group\": \"pair\"" + fields);
        story.asked.stops.add(
                new Stop("pair", 20_100, 30_000, 30_100, List.of(new Waiting(1, "chaos/job0", true, 29_000)), 1));
    }

    @Test
    void what_waits_behind_a_limit_of_zero_starts_once_that_is_raised() {
        stopped("");
        second(25).ran(31_000, 32_000).ended("SUCCEEDED");
        finds();
    }

    @Test
    void nothing_starts_before() {
        stopped("");
        second(25).ran(25_000, 26_000).ended("SUCCEEDED");
        finds("CROWDED: group pair with a limit of at most 0");
    }

    @Test
    void what_waits_does_not_go_on_waiting() {
        stopped("");
        second(25).ran(40_000, 41_000).ended("SUCCEEDED");
        finds("LATE: nothing of group pair started within 5.00 s");
    }

    @Test
    void it_may_wait_for_something_else() {
        stopped(", \"nodes\": \"!gpu\"");
        second(25).ran(40_000, 41_000).ended("SUCCEEDED");
        finds();
    }

    @Test
    void a_fault_near_by_excuses_it() {
        stopped("");
        second(25).ran(40_000, 41_000).ended("SUCCEEDED");
        story.injected.add(new Injected(FaultKind.KILL, "SIGKILL", 20_000, 21_000, 0, List.of(), null));
        finds();
    }

    @Test
    void so_does_what_went_on_executing() {
        stopped(", \"overlap\": \"ALLOW\"");
        second(25).ran(40_000, 41_000).ended("SUCCEEDED");
        finds("LATE");
        second(18).ran(18_000, 39_000).ended("SUCCEEDED");
        second(19).on("n1").ran(19_000, 39_500).ended("SUCCEEDED");
        finds();
    }
}
