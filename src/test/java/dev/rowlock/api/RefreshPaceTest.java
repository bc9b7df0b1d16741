package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RefreshPaceTest {

    private final RefreshPace pace = new RefreshPace();

    private long ask(String view, int second) {
        return pace.seconds(view, TimeUnit.SECONDS.toNanos(second));
    }

    @Test
    void what_costs_little_is_read_again_as_often_as_pages_like() {
        assertThat(ask("a", 0)).isEqualTo(4);
        pace.cost("a", 2);
        assertThat(ask("a", 5)).isEqualTo(4);
    }

    @Test
    void all_views_together_take_a_statement_in_two_seconds() {
        ask("a", 0);
        pace.cost("a", 3);
        ask("b", 1);
        pace.cost("b", 6);

        assertThat(ask("a", 2)).as("9 statements").isEqualTo(18);
        assertThat(ask("b", 3)).isEqualTo(18);
    }

    @Test
    void the_last_answer_tells_what_a_view_costs() {
        ask("a", 0);
        pace.cost("a", 5);
        assertThat(ask("a", 5)).isEqualTo(10);
        pace.cost("a", 0); // somebody else had made it
        assertThat(ask("a", 15)).isEqualTo(10);
        pace.cost("a", 3);
        assertThat(ask("a", 25)).isEqualTo(6);
    }

    @Test
    void what_nobody_looks_at_any_more_slows_nobody_down() {
        ask("gone", 0);
        pace.cost("gone", 5);
        ask("a", 1);
        pace.cost("a", 3);

        assertThat(ask("a", 5)).isEqualTo(16);
        assertThat(ask("a", 18)).as("it may be asked for again at this pace").isEqualTo(16);
        assertThat(ask("a", 39)).isEqualTo(6);
    }

    @Test
    void nobody_waits_for_longer_than_a_minute_nor_for_ten_seconds_alone() {
        for (int i = 0; i < 1_000; i++) {
            ask("v" + i, 0);
            pace.cost("v" + i, 10);
        }
        assertThat(ask("v999", 1)).isEqualTo(60);
        assertThat(ask("v999", 200)).isEqualTo(10);
    }
}
