package dev.rowlock.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.chaos.SessionWatch.Presence;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What was due while a member of the database was killed, and servers that take writes again after two seconds. */
class PunctualityTest extends Judged {

    private static final long FIRE = 30;

    @BeforeEach
    void killMember() {
        story.sessions.add(new Presence("session-of-n0", "n0", -100_000, 200_000));
        story.sessions.add(new Presence("session-of-n1", "n1", -100_000, 200_000));
        story.job("");
        story.injected.add(new Injected(FaultKind.MEMBER_KILL, "kill -9", 29_500, 31_000, 32_000, List.of(), null));
    }

    @Test
    void what_starts_within_the_bound_is_in_time_and_what_starts_later_is_not() {
        second(FIRE).ran(33_900, 34_000).ended("SUCCEEDED");
        assertThat(story.late()).isEmpty();
        second(FIRE + 1).ran(34_100, 34_200).ended("SUCCEEDED");
        assertThat(story.late()).singleElement().asString().contains("more than 'kill -9'");
    }

    @Test
    void what_operators_leave_no_room_on_any_node_is_not_judged() {
        second(FIRE).ran(40_000, 40_100).ended("SUCCEEDED");
        story.conditions.drained("n0").asked(true, 20_000);
        assertThat(story.late()).hasSize(1);
        story.conditions.slots("n1").asked(2, 36_000);
        assertThat(story.late()).isEmpty();
    }
}
