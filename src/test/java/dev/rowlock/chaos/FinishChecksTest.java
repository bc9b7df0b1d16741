package dev.rowlock.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rowlock.chaos.DrawnFreeze.Wanted;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The check of what is to finish by a time finds what it is for, and nothing in a run that kept its promises. */
class FinishChecksTest extends Judged {

    private void job(String finishBy) {
        story.job("\"schedule\": \"@every 900s\", \"finishBy\": \"" + finishBy + "\"");
    }

    @Test
    void in_time() {
        job("3s");
        second(900).ran(900_000, 902_000).ended("SUCCEEDED");
        finds();
    }

    @Test
    void late_with_an_alarm() {
        job("3s");
        story.alarm(0, 900_000, 903_000);
        second(900).ran(900_000, 904_000).ended("SUCCEEDED");
        finds();
    }

    @Test
    void by_a_time_of_day() {
        job("00:16");
        story.alarm(0, 900_000, 960_000);
        second(900).ran(900_000, 901_000).ended("FAILED");
        finds();
    }

    @Test
    void an_alarm_although_it_had_finished() {
        job("3s");
        story.alarm(0, 900_000, 903_000);
        second(900).ran(900_000, 902_000).ended("SUCCEEDED");
        finds("WRONG_OUTCOME: it had finished at 2026-01-01T00:15:02Z");
    }

    @Test
    void an_alarm_for_an_occurrence_that_never_was() {
        job("3s");
        story.alarm(0, 900_000, 903_000);
        finds("UNASKED: its job does not ask");
    }

    @Test
    void an_alarm_for_a_time_that_is_none() {
        job("3s");
        story.alarm(0, 900_000, 904_000).alarm(0, 901_000, 904_000);
        second(900).ran(900_000, 902_000).ended("SUCCEEDED");
        finds("UNASKED: its job does not ask", "UNASKED: its job does not ask");
    }

    @Test
    void an_alarm_although_a_freeze_has_taken_it_away() throws IOException {
        job("3s");
        JsonNode answer = new ObjectMapper()
                .readTree("{\"all\": true, \"id\": 1, \"from\": \"" + Story.at(890_000) + "\", \"until\": \""
                        + Story.at(910_000) + "\"}");
        DrawnFreeze freeze = new DrawnFreeze(answer, true, null, new Wanted(Story.at(910_000), Duration.ZERO), 890_000);
        freeze.made(answer, 890_100);
        story.asked.freezes.add(freeze);
        story.alarm(0, 900_000, 903_000);
        second(900).because("freeze 1 by admin until then").ended("SKIPPED", 900_050);
        finds("WRONG_OUTCOME: a freeze has taken it away");
    }
}
