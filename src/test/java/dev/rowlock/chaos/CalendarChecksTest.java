package dev.rowlock.chaos;

import dev.rowlock.chaos.SessionWatch.Presence;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each check of calendars and lines finds what it is for, and nothing in a run that kept its promises. */
class CalendarChecksTest extends Judged {

    private static final DrawnCalendar CLOSED =
            new DrawnCalendar("", DrawnCalendar.everyDay(), List.of("2026-01-01"), List.of());

    private static String by(String mark) {
        return "\"calendar\": \"plain\", \"calendarVersions\": {\"plain\": \"" + mark + "\"}";
    }

    /** Closed at first, and open from second 10 on. */
    @BeforeEach
    void opens() {
        story.sessions.add(new Presence("session-of-n0", "n0", -100_000, 200_000));
        story.calendars.put("plain 1", CLOSED);
        story.calendars.put("plain 2", DrawnCalendar.ALWAYS_OPEN);
        Timeline<DrawnCalendar> plain = story.conditions.calendar("plain");
        plain.asked(CLOSED, -1000);
        plain.certain(-500);
        plain.asked(DrawnCalendar.ALWAYS_OPEN, 9800);
        plain.certain(10_000);
    }

    private void follows(long when) {
        story.job(by("1")).deleted(0, when).version(0, by("2"), when, null, false);
    }

    @Test
    void jobs_follow_before_the_answer() {
        follows(9900);
        second(11).withVersion(2).ran(11_000, 11_100).ended("SUCCEEDED");
        finds();
    }

    @Test
    void one_follows_after_the_answer() {
        follows(12_000);
        finds("UNASKED: version 1 of chaos/job0 (job 0), in force from 2026-01-01T00:00:00Z until");
    }

    @Test
    void one_goes_ahead_of_it() {
        follows(4000);
        finds("UNASKED: version 2 of chaos/job0");
    }

    @Test
    void one_fires_on_a_closed_day() {
        follows(9900);
        second(5).withVersion(2).ran(5000, 5100).ended("SUCCEEDED");
        finds("UNASKED: the calendars {plain=DrawnCalendar");
    }

    @Test
    void late_although_it_is_newly_asked_for() {
        follows(9900);
        second(11).withVersion(2).ran(18_000, 18_100).ended("SUCCEEDED");
        finds("LATE: a calendar that was changed newly asks for it");
    }

    @Test
    void a_command_is_told_of_its_line() {
        story.job(
                "\"schedule\": [\"0/2 * * * * *\", {\"schedule\": \"0/3 * * * * *\", \"env\": {\"CHAOS_LINE\": \"1\"}}]");
        second(6).ran(6000, 6100).ended("SUCCEEDED");
        second(9).told("1", "0/3 * * * * *").ran(9000, 9100).ended("SUCCEEDED");
        finds();
    }

    @Test
    void a_command_is_told_of_another_line() {
        story.job("\"schedule\": [\"0/2 * * * * *\", \"0/3 * * * * *\"]");
        second(6).told("-", "0/3 * * * * *").ran(6000, 6100).ended("SUCCEEDED");
        finds("WRONG_OUTCOME: the line 0/2_*_*_*_*_* with the sign - has fired it");
    }
}
