package dev.rowlock.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rowlock.chaos.DrawnFreeze.Wanted;
import dev.rowlock.chaos.SessionWatch.Presence;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each check of freezes finds what it is for, and nothing in a run that kept its promises. */
class FreezeChecksTest extends Judged {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ALL = "{\"all\": true}";
    private static final String WAITED =
            "a later occurrence waited in its place: freeze 1 by admin until 2026-01-01T00:00:20Z";

    private DrawnFreeze freeze;

    @BeforeEach
    void aNode() {
        story.sessions.add(new Presence("session-of-n0", "n0", -100_000, 200_000));
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** From second 10 to second 20. */
    private void frozen(String scope, boolean skips) {
        Wanted end = new Wanted(Story.at(20_000), Duration.ZERO);
        freeze = new DrawnFreeze(json(scope), skips, null, end, 9900);
        freeze.made(
                json("{\"id\": 1, \"from\": \"" + Story.at(9950) + "\", \"until\": \"" + Story.at(20_000) + "\"}"),
                10_000);
        story.asked.freezes.add(freeze);
    }

    private void heldAndLetGo() {
        second(12).because(WAITED).ended("SKIPPED", 20_050);
        second(19).ran(20_100, 20_200).ended("SUCCEEDED");
    }

    @Test
    void the_latest_runs_at_the_end() {
        story.job("");
        frozen(ALL, false);
        heldAndLetGo();
        finds();
    }

    @Test
    void nothing_starts_under_one() {
        story.job("");
        frozen(ALL, false);
        second(15).ran(15_000, 15_100).ended("SUCCEEDED");
        finds("UNASKED: it started while it was frozen from 10000 until 20000");
    }

    @Test
    void what_it_does_not_cover_starts() {
        story.job("\"labels\": {\"tier\": \"gold\"}");
        frozen("{\"labels\": {\"tier\": \"lead\"}}", false);
        frozen("{\"namespaces\": [\"another\"]}", false);
        frozen("{\"namespaces\": [\"chaos\"], \"jobs\": [\"chaos/job7\"]}", false);
        second(15).ran(15_000, 15_100).ended("SUCCEEDED");
        finds();
    }

    @Test
    void one_value_of_each_field_is_enough() {
        story.job("\"labels\": {\"tier\": \"gold\"}");
        frozen("{\"labels\": {\"tier\": \"gold\", \"region\": \"none\"}, \"jobs\": [\"a/b\", \"chaos/job0\"]}", false);
        second(15).ran(15_000, 15_100).ended("SUCCEEDED");
        finds("UNASKED: it started while it was frozen");
    }

    @Test
    void no_command_begins_long_after_its_start_was_decided() {
        story.job("");
        frozen(ALL, false);
        second(9).ran(14_000, 14_100).decided(9800).ended("SUCCEEDED");
        finds("UNASKED: it started while it was frozen");
    }

    @Test
    void retries_and_backfills_wait_and_people_run_what_they_like() {
        story.job("\"overlap\": \"ALLOW\"").backfill(0, 1, 1000, 2000, 1);
        frozen(ALL, true);
        second(15).byHand("-").ran(15_000, 15_100).ended("SUCCEEDED");
        second(1).ofBackfill(1).ran(16_000, 16_100).ended("SUCCEEDED");
        finds("UNASKED: it started while it was frozen");
    }

    @Test
    void until_its_first_end_where_that_was_extended_and_not_beyond_a_request_to_end_it() {
        story.job("");
        frozen(ALL, false);
        Wanted longer = new Wanted(Story.at(30_000), Duration.ZERO);
        freeze.changed(longer, 18_000, json("{\"until\": \"" + Story.at(30_000) + "\"}"), 18_100);
        freeze.changed(Wanted.AT_ONCE, 25_000, json("{}"), 25_500);
        second(24).ran(24_000, 24_100).ended("SUCCEEDED");
        second(26).ran(26_000, 26_100).ended("SUCCEEDED");
        finds("UNASKED: it started while it was frozen from 10000 until 25000");
    }

    @Test
    void nobody_knows_when_one_ended_that_was_shortened_without_an_answer() {
        story.job("");
        frozen(ALL, false);
        freeze.changed(Wanted.AT_ONCE, 14_000, null, 22_000);
        second(15).ran(15_000, 15_100).ended("SUCCEEDED");
        finds();
    }

    @Test
    void more_than_the_latest() {
        story.job("");
        frozen(ALL, false);
        second(12).ran(20_050, 20_060).ended("SUCCEEDED");
        second(14).ran(20_100, 20_200).ended("SUCCEEDED");
        finds("DOUBLED: of what a freeze held, more than the latest ran", "DISORDERED: a freeze held");
    }

    @Test
    void several_where_the_job_keeps_them() {
        story.job("\"overlap\": \"QUEUE\"");
        frozen(ALL, false);
        second(12).ran(20_050, 20_060).ended("SUCCEEDED");
        second(19).ran(20_100, 20_200).ended("SUCCEEDED");
        finds();
    }

    @Test
    void none_at_all() {
        story.job("");
        frozen(ALL, false);
        second(12).because(WAITED).ended("SKIPPED", 20_050);
        second(19).because(WAITED).ended("SKIPPED", 20_050);
        finds("LOST: a freeze held occurrences from 10000 until 20000");
    }

    @Test
    void a_misfire() {
        story.job("");
        frozen(ALL, false);
        second(19).ended("MISSED", 33_000);
        finds("WRONG_OUTCOME: called a misfire");
    }

    @Test
    void one_that_is_made_up_for() {
        story.job("");
        frozen(ALL, false);
        second(19).attempt(1, "CATCH_UP").ran(20_100, 20_200).ended("SUCCEEDED");
        finds("WRONG_OUTCOME: called a misfire");
    }

    @Test
    void missed_by_its_deadline() {
        story.job("\"startDeadline\": \"4s\"");
        frozen(ALL, false);
        second(12).ended("MISSED", 16_100);
        finds();
    }

    @Test
    void what_came_due_under_one_that_skips() {
        story.job("");
        frozen(ALL, true);
        second(12).because("freeze 1 by admin until 2026-01-01T00:00:20Z").ended("SKIPPED", 12_050);
        finds();
        second(13).ran(20_100, 20_200).ended("SUCCEEDED");
        finds("WRONG_OUTCOME: it came due under a freeze that skips, and ran");
    }

    @Test
    void a_freeze_that_never_was() {
        story.job("");
        frozen(ALL, true);
        second(30).because("freeze 1 by admin until 2026-01-01T00:00:20Z").ended("SKIPPED", 30_050);
        second(15).because("freeze 2 by admin until 2026-01-01T00:00:20Z").ended("SKIPPED", 15_050);
        finds("WRONG_OUTCOME: no such freeze", "WRONG_OUTCOME: no such freeze");
    }

    @Test
    void long_after_the_end() {
        story.job("");
        frozen(ALL, false);
        second(19).ran(27_000, 27_100).ended("SUCCEEDED");
        finds("LATE: held by a freeze until 20000 at the latest, it started 7.00 s later");
    }
}
