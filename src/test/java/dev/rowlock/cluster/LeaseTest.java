package dev.rowlock.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.support.ManualNanos;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LeaseTest {

    private static final Duration FENCE = Duration.ofSeconds(20);
    private final ManualNanos nanos = new ManualNanos();
    private final Lease lease = new Lease(nanos, FENCE);

    @Test
    void trust_counts_from_when_the_renewal_was_asked_for() {
        long asked = nanos.getAsLong();
        nanos.advance(Duration.ofSeconds(15));
        lease.begin("s", asked, 1000);
        nanos.advance(Duration.ofSeconds(4));
        assertThat(lease.current()).isPresent();
        nanos.advance(Duration.ofSeconds(1));
        assertThat(lease.current()).isEmpty();
    }

    @Test
    void the_deadline_for_other_processes_is_the_same_moment_on_the_machines_uptime() {
        assertThat(lease.begin("s", nanos.getAsLong(), 1000).orElseThrow().deadlineUptimeMillis())
                .isEqualTo(21_000);
    }

    @Test
    void trust_that_has_run_out_does_not_come_back() {
        lease.begin("s", nanos.getAsLong(), 0);
        nanos.advance(Duration.ofSeconds(19));
        long asked = nanos.getAsLong();
        nanos.advance(Duration.ofSeconds(2));

        assertThat(lease.renew("s", asked, 0)).isEmpty();
        assertThat(lease.current()).isEmpty();
    }

    @Test
    void another_session_cannot_be_renewed() {
        lease.begin("s", nanos.getAsLong(), 0);
        assertThat(lease.renew("t", nanos.getAsLong(), 0)).isEmpty();
        assertThat(lease.current()).isPresent();
    }

    @Test
    void an_older_renewal_that_is_answered_late_does_not_shorten_trust() {
        lease.begin("s", nanos.getAsLong(), 0);
        long older = nanos.getAsLong();
        nanos.advance(Duration.ofSeconds(5));
        lease.renew("s", nanos.getAsLong(), 0);
        lease.renew("s", older, 0);
        nanos.advance(Duration.ofSeconds(17));
        assertThat(lease.current()).isPresent();
    }

    @Test
    void the_end_of_a_former_session_is_not_that_of_the_present_one() {
        lease.begin("s", nanos.getAsLong(), 0);
        lease.begin("t", nanos.getAsLong(), 0);
        lease.end("s");
        assertThat(lease.current()).isPresent();
    }

    @Test
    void a_session_that_is_gone_is_trusted_no_more() {
        lease.begin("s", nanos.getAsLong(), 0);
        lease.end("s");
        assertThat(lease.current()).isEmpty();
        assertThat(lease.last()).isEmpty();
    }
}
