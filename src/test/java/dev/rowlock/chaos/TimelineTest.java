package dev.rowlock.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TimelineTest {

    @Test
    void a_change_may_be_in_force_from_its_request_on_and_is_from_its_answer_on() {
        Timeline<String> timeline = new Timeline<>("a");
        timeline.asked("b", 100);
        assertThat(timeline.possible(0, 99)).containsExactly("a");
        assertThat(timeline.possible(100, 100)).containsExactly("a", "b");
        assertThat(timeline.possible(900, 900)).containsExactly("a", "b");
        timeline.certain(200);
        assertThat(timeline.possible(200, 200)).containsExactly("a", "b");
        assertThat(timeline.possible(201, 900)).containsExactly("b");
        timeline.asked("c", 300);
        timeline.certain(310);
        assertThat(timeline.possible(250, 250)).containsExactly("b");
        assertThat(timeline.possible(150, 320)).containsExactly("a", "b", "c");
        assertThat(timeline.last()).isEqualTo("c");
    }

    @Test
    void what_is_seen_in_force_is_certain_if_it_was_asked_for_last() {
        Timeline<String> timeline = new Timeline<>("a");
        timeline.asked("b", 100);
        timeline.seen("a", 150);
        assertThat(timeline.possible(200, 900)).containsExactly("a", "b");
        timeline.seen("b", 300);
        timeline.seen("b", 400);
        assertThat(timeline.possible(301, 900)).containsExactly("b");
    }
}
