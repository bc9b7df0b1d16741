package dev.rowlock.node.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.DatabaseUnavailable;
import dev.rowlock.node.Pass;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ResultsFirstTest {

    private final List<String> done = new ArrayList<>();
    private boolean away;
    private long now;
    private Database nowhere;
    private ResultsFirst step;

    @BeforeEach
    void make() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            nowhere = Database.single(
                    new DatabaseAddress("jdbc:mysql://127.0.0.1:" + socket.getLocalPort() + "/x", "u", "p"),
                    Duration.ofSeconds(1));
        }
        step = new ResultsFirst(() -> now, this::reach, () -> did("scheduled"), () -> did("recorded"));
    }

    @AfterEach
    void close() {
        nowhere.close();
    }

    @Test
    void without_an_outage_it_schedules_and_nothing_else() {
        step.runOnce();
        step.runOnce();

        assertThat(done).containsExactly("scheduled", "scheduled");
    }

    @Test
    void after_an_outage_results_are_recorded_and_the_others_have_a_second_for_theirs_before_anything_is_scheduled() {
        fail();
        now += ResultsFirst.SHORT.toNanos();
        fail();
        assertThat(done).isEmpty();

        away = false;
        assertThat(step.runOnce().rest()).isEqualTo(ResultsFirst.OTHERS);
        assertThat(done).containsExactly("recorded");
        now += ResultsFirst.OTHERS.toNanos();
        step.runOnce();
        assertThat(done).containsExactly("recorded", "scheduled");
    }

    @Test
    void after_a_short_one_scheduling_goes_on_at_once() {
        fail();
        away = false;
        now += ResultsFirst.SHORT.toNanos() - 1;

        step.runOnce();

        assertThat(done).containsExactly("recorded", "scheduled");
    }

    private void fail() {
        away = true;
        assertThatThrownBy(step::runOnce).isInstanceOf(DatabaseUnavailable.class);
    }

    private void reach() {
        if (away) {
            nowhere.autoCommit("looking", handle -> handle.execute("do 0"));
        }
    }

    private Pass did(String what) {
        reach();
        done.add(what);
        return Pass.rest(Duration.ofSeconds(1));
    }
}
