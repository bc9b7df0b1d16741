package dev.rowlock.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.cluster.ClusterSession.SessionState;
import dev.rowlock.cluster.FailureDetector.Suspect;
import dev.rowlock.support.ManualNanos;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class FailureDetectorTest {

    private final ManualNanos nanos = new ManualNanos();
    private final FailureDetector failureDetector = new FailureDetector(Duration.ofSeconds(30), Duration.ofSeconds(10));

    @Test
    void a_beat_that_stands_still_for_longer_than_the_timeout_is_suspect() {
        saw(7);
        for (int i = 0; i < 15; i++) {
            nanos.advance(Duration.ofSeconds(2));
            assertThat(saw(7)).isEmpty();
        }
        nanos.advance(Duration.ofMillis(1));
        assertThat(saw(7)).containsExactly(new Suspect("s", 7));
    }

    @Test
    void a_beat_that_rises_starts_the_count_anew() {
        saw(7);
        for (int i = 0; i < 14; i++) {
            nanos.advance(Duration.ofSeconds(2));
            saw(7);
        }
        nanos.advance(Duration.ofSeconds(2));
        saw(8);
        nanos.advance(Duration.ofSeconds(2));
        assertThat(saw(8)).isEmpty();
    }

    @Test
    void who_had_no_contact_himself_judges_nobody() {
        saw(7);
        nanos.advance(Duration.ofSeconds(60));
        assertThat(saw(7)).isEmpty();
        nanos.advance(Duration.ofSeconds(9));
        assertThat(saw(7)).isEmpty();
    }

    @Test
    void a_slow_answer_counts_against_the_suspicion() {
        long asked = nanos.getAsLong();
        nanos.advance(Duration.ofSeconds(5));
        failureDetector.saw(List.of(member(7)), asked, nanos.getAsLong());
        for (int i = 0; i < 13; i++) {
            nanos.advance(Duration.ofSeconds(2));
            saw(7);
        }
        nanos.advance(Duration.ofSeconds(2));
        asked = nanos.getAsLong();
        nanos.advance(Duration.ofSeconds(9));
        assertThat(failureDetector.saw(List.of(member(7)), asked, nanos.getAsLong()))
                .isEmpty();
    }

    @Test
    void a_session_that_waits_longer_than_we_do_is_judged_by_its_own_timeout() {
        assertThat(firstSuspectedAfter(Duration.ofSeconds(60))).isEqualTo(62);
    }

    @Test
    void a_session_that_waits_less_than_we_do_is_judged_by_ours() {
        assertThat(firstSuspectedAfter(Duration.ofSeconds(5))).isEqualTo(32);
    }

    private int firstSuspectedAfter(Duration itsTimeout) {
        ClusterSession member = StripeAssignmentTest.member("s", "n", 1, SessionState.ALIVE, 7, itsTimeout);
        failureDetector.saw(List.of(member), nanos.getAsLong(), nanos.getAsLong());
        for (int seconds = 2; ; seconds += 2) {
            nanos.advance(Duration.ofSeconds(2));
            if (!failureDetector
                    .saw(List.of(member), nanos.getAsLong(), nanos.getAsLong())
                    .isEmpty()) {
                return seconds;
            }
            assertThat(failureDetector.untilSuspicion()).isLessThanOrEqualTo(Duration.ofSeconds(61));
        }
    }

    private List<Suspect> saw(long beat) {
        return failureDetector.saw(List.of(member(beat)), nanos.getAsLong(), nanos.getAsLong());
    }

    private static ClusterSession member(long beat) {
        return StripeAssignmentTest.member("s", "n", 1, SessionState.ALIVE, beat);
    }
}
