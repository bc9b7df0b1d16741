package dev.rowlock.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.support.ManualNanos;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DatabaseClockTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private final ManualNanos nanos = new ManualNanos();
    private Duration suspended = Duration.ZERO;
    private final DatabaseClock clock =
            new DatabaseClock(nanos, () -> nanos.getAsLong() / 1_000_000 + suspended.toMillis());

    @Test
    void it_goes_on_with_the_monotonic_clock() {
        sample(NOON, Duration.ZERO);
        nanos.advance(Duration.ofSeconds(5));
        assertThat(clock.now()).isEqualTo(NOON.plusSeconds(5));
    }

    @Test
    void the_sample_with_the_smallest_round_trip_counts() {
        sample(NOON, Duration.ofMillis(2));
        assertThat(clock.now()).isEqualTo(NOON.plusMillis(1));
        nanos.advance(Duration.ofSeconds(2));
        Instant before = clock.now();
        sample(before.plusMillis(90), Duration.ofMillis(200));
        assertThat(Duration.between(before.plusMillis(200), clock.now()).abs()).isLessThan(Duration.ofMillis(1));
    }

    @Test
    void a_clock_that_was_set_is_believed_at_once() {
        sample(NOON, Duration.ofMillis(1));
        nanos.advance(Duration.ofSeconds(2));
        sample(NOON.minusSeconds(3600), Duration.ofMillis(50));
        assertThat(Duration.between(NOON.minusSeconds(3600), clock.now())).isLessThan(Duration.ofMillis(60));
    }

    @Test
    void a_leap_of_minutes_is_believed_when_it_has_stood() {
        sample(NOON, Duration.ZERO);
        nanos.advance(Duration.ofSeconds(2));
        sample(NOON.plusSeconds(602), Duration.ZERO);

        assertThat(clock.now()).isEqualTo(NOON.plusSeconds(2));
        assertThat(clock.doubt()).hasValueSatisfying(doubt -> {
            assertThat(doubt.by()).isEqualTo(Duration.ofMinutes(10));
            assertThat(doubt.left()).isEqualTo(DatabaseClock.STANDS);
        });
        nanos.advance(DatabaseClock.STANDS.minusSeconds(1));
        sample(NOON.plusSeconds(602).plus(DatabaseClock.STANDS).minusSeconds(1), Duration.ZERO);
        assertThat(clock.doubt()).isPresent();
        assertThat(clock.now()).isEqualTo(NOON.plusSeconds(1).plus(DatabaseClock.STANDS));
        nanos.advance(Duration.ofSeconds(1));
        sample(NOON.plusSeconds(602).plus(DatabaseClock.STANDS), Duration.ZERO);
        assertThat(clock.doubt()).isEmpty();
        assertThat(clock.now()).isEqualTo(NOON.plusSeconds(602).plus(DatabaseClock.STANDS));
    }

    @Test
    void a_leap_that_is_taken_back_has_never_been() {
        sample(NOON, Duration.ZERO);
        nanos.advance(Duration.ofSeconds(2));
        sample(NOON.plusSeconds(3600), Duration.ZERO);
        nanos.advance(Duration.ofMinutes(2));
        sample(NOON.plusSeconds(122), Duration.ZERO);

        assertThat(clock.doubt()).isEmpty();
        assertThat(clock.now()).isEqualTo(NOON.plusSeconds(122));
    }

    @Test
    void a_leap_can_be_accepted_by_who_saw_it() {
        sample(NOON, Duration.ZERO);
        nanos.advance(Duration.ofSeconds(2));
        sample(NOON.plusSeconds(3600), Duration.ZERO);

        assertThat(clock.accept(NOON.plusSeconds(1))).isFalse();
        assertThat(clock.accept(NOON.plusSeconds(7200))).isFalse();
        assertThat(clock.doubt()).isPresent();
        assertThat(clock.accept(NOON.plusSeconds(3600))).isTrue();
        assertThat(clock.doubt()).isEmpty();
        assertThat(clock.now()).isEqualTo(NOON.plusSeconds(3600));
        assertThat(clock.accept(NOON.plusSeconds(3600))).isFalse();
    }

    @Test
    void a_leap_that_another_follows_has_to_stand_from_then_on_but_a_clock_that_runs_fast_has_stood() {
        sample(NOON, Duration.ZERO);
        nanos.advance(Duration.ofMinutes(4));
        sample(NOON.plusSeconds(3600), Duration.ZERO);
        nanos.advance(Duration.ofMinutes(4));
        sample(NOON.plusSeconds(3600 + 300), Duration.ZERO);
        nanos.advance(Duration.ofSeconds(59));
        sample(NOON.plusSeconds(7200), Duration.ZERO);
        assertThat(clock.doubt()).hasValueSatisfying(d -> assertThat(d.left()).isEqualTo(DatabaseClock.STANDS));
        nanos.advance(Duration.ofMinutes(5));
        sample(NOON.plusSeconds(7200 + 330), Duration.ZERO);
        assertThat(clock.doubt()).isEmpty();
    }

    @Test
    void a_machine_that_was_suspended_has_only_slept() {
        sample(NOON, Duration.ZERO);
        nanos.advance(Duration.ofSeconds(2));
        suspended = Duration.ofHours(8);
        sample(NOON.plusSeconds(8 * 3600 + 2), Duration.ZERO);

        assertThat(clock.doubt()).isEmpty();
        assertThat(clock.now()).isEqualTo(NOON.plusSeconds(8 * 3600 + 2));
    }

    @Test
    void nothing_is_deleted_by_a_clock_that_was_first_read_just_now_or_is_in_doubt() {
        assertThat(clock.mayDelete(Duration.ofDays(30))).isFalse();
        sample(NOON, Duration.ZERO);
        assertThat(clock.mayDelete(Duration.ofDays(30))).isFalse();
        nanos.advance(DatabaseClock.STANDS);
        sample(NOON.plus(DatabaseClock.STANDS), Duration.ZERO);
        assertThat(clock.mayDelete(Duration.ofDays(30))).isTrue();
        nanos.advance(Duration.ofSeconds(2));
        sample(NOON.plusSeconds(7200), Duration.ZERO);
        assertThat(clock.mayDelete(Duration.ofDays(30))).isFalse();
    }

    @Test
    void what_is_kept_for_less_than_a_clock_has_to_stand_may_be_deleted_sooner() {
        Duration kept = Duration.ofMinutes(1);
        sample(NOON, Duration.ZERO);
        nanos.advance(kept.minusSeconds(1));
        assertThat(clock.mayDelete(kept)).isFalse();
        nanos.advance(Duration.ofSeconds(1));
        assertThat(clock.mayDelete(kept)).isTrue();
        assertThat(clock.mayDelete(Duration.ZERO)).isFalse();
    }

    @Test
    void a_clock_that_was_set_back_may_return_but_not_go_beyond() {
        sample(NOON, Duration.ZERO);
        for (int minutes : new int[] {-10, -5, -20}) {
            nanos.advance(Duration.ofSeconds(2));
            sample(NOON.plusSeconds(minutes * 60L), Duration.ZERO);
        }
        nanos.advance(Duration.ofSeconds(2));
        sample(NOON.plusSeconds(8), Duration.ZERO);
        assertThat(clock.doubt()).isEmpty();
        assertThat(clock.now()).isEqualTo(NOON.plusSeconds(8));

        nanos.advance(Duration.ofSeconds(2));
        sample(NOON.minusSeconds(600), Duration.ZERO);
        nanos.advance(Duration.ofSeconds(2));
        sample(NOON.plusSeconds(600), Duration.ZERO);
        assertThat(clock.doubt()).isPresent();
    }

    @Test
    void a_doubt_of_others_is_taken_over_with_what_it_has_stood_already() {
        Instant since = NOON.minusSeconds(200);
        clock.recall(since.minusSeconds(3602), since, Duration.ofHours(1), NOON, nanos.getAsLong(), nanos.getAsLong());
        assertThat(clock.now()).isEqualTo(NOON.minusSeconds(3600));
        assertThat(clock.doubt().orElseThrow().since()).isEqualTo(since);
        assertThat(clock.doubt().orElseThrow().left()).isEqualTo(DatabaseClock.STANDS.minusSeconds(200));

        nanos.advance(Duration.ofSeconds(99));
        sample(NOON.plusSeconds(99), Duration.ZERO);
        assertThat(clock.doubt()).isPresent();
        nanos.advance(Duration.ofSeconds(1));
        sample(NOON.plusSeconds(100), Duration.ZERO);
        assertThat(clock.doubt()).isEmpty();
        assertThat(clock.now()).isEqualTo(NOON.plusSeconds(100));
    }

    @Test
    void who_has_read_it_all_the_time_says_that_it_went_by() {
        sample(NOON, Duration.ZERO);
        nanos.advance(Duration.ofSeconds(2));
        sample(NOON.plusSeconds(602), Duration.ZERO);
        Instant since = NOON.plusSeconds(602);

        assertThat(clock.wentBy(NOON.plusMillis(1), since)).as("from too late").isFalse();
        assertThat(clock.wentBy(NOON, since.minusMillis(1)))
                .as("until too early")
                .isFalse();
        assertThat(clock.doubt()).isPresent();
        assertThat(clock.wentBy(NOON, since)).isTrue();
        assertThat(clock.doubt()).isEmpty();
        assertThat(clock.now()).isEqualTo(since);
        assertThat(clock.wentBy(NOON, since)).as("nothing is in doubt").isFalse();
    }

    @Test
    void a_second_leap_on_top_of_the_first_is_judged_from_before_the_first() {
        sample(NOON, Duration.ZERO);
        nanos.advance(Duration.ofSeconds(2));
        sample(NOON.plusSeconds(602), Duration.ZERO);
        nanos.advance(Duration.ofSeconds(2));
        sample(NOON.plusSeconds(1204), Duration.ZERO);

        assertThat(clock.doubt().orElseThrow().before()).isEqualTo(NOON);
        assertThat(clock.wentBy(NOON.plusSeconds(602), NOON.plusSeconds(1204))).isFalse();
    }

    @Test
    void only_who_expected_what_it_shows_and_saw_no_leap_can_say_since_when_it_is_steady() {
        assertThat(steadyFrom(NOON)).isEmpty();
        sample(NOON, Duration.ZERO);
        nanos.advance(Duration.ofSeconds(2));
        sample(NOON.plusSeconds(32), Duration.ZERO);
        assertThat(steadyFrom(NOON.plusSeconds(32))).contains(NOON);
        assertThat(steadyFrom(NOON.plusSeconds(32 + 61)))
                .as("a leap that was not seen yet")
                .isEmpty();
        nanos.advance(Duration.ofSeconds(2));
        sample(NOON.plusSeconds(3600), Duration.ZERO);
        assertThat(steadyFrom(NOON.plusSeconds(3600))).as("in doubt").isEmpty();
        assertThat(clock.accept(NOON.plusSeconds(3600))).isTrue();
        assertThat(steadyFrom(NOON.plusSeconds(3600)))
                .as("accepted, but not lived through")
                .contains(NOON.plusSeconds(3600));
    }

    @Test
    void a_clock_that_was_set_back_by_much_or_has_returned_is_steady_from_then_on() {
        sample(NOON, Duration.ZERO);
        nanos.advance(Duration.ofSeconds(2));
        sample(NOON.minusSeconds(3600), Duration.ZERO);
        assertThat(steadyFrom(NOON.minusSeconds(3600))).contains(NOON.minusSeconds(3600));
        nanos.advance(Duration.ofSeconds(2));
        sample(NOON.plusSeconds(4), Duration.ZERO);
        assertThat(steadyFrom(NOON.plusSeconds(4))).contains(NOON.plusSeconds(4));
    }

    private Optional<Instant> steadyFrom(Instant shown) {
        return clock.steadyFrom(shown, nanos.getAsLong());
    }

    @Test
    void an_old_sample_is_forgotten_however_good() {
        sample(NOON, Duration.ZERO);
        nanos.advance(Duration.ofSeconds(61));
        sample(NOON.plusSeconds(61), Duration.ofMillis(10));
        assertThat(clock.now()).isEqualTo(NOON.plusSeconds(61).plusMillis(5));
    }

    @Test
    void before_the_first_sample_there_is_no_time() {
        assertThat(clock.isKnown()).isFalse();
        assertThatThrownBy(clock::now).isInstanceOf(IllegalStateException.class);
    }

    /** The database read its clock when the question arrived; the answer took {@code roundTrip}. */
    private void sample(Instant shown, Duration roundTrip) {
        long asked = nanos.getAsLong();
        nanos.advance(roundTrip);
        clock.sample(shown, asked, nanos.getAsLong());
    }
}
