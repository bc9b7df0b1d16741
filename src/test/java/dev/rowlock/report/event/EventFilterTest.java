package dev.rowlock.report.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.definition.JobKey;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whose events somebody who is limited to namespaces is told. */
class EventFilterTest {

    private static Event of(@Nullable String namespace) {
        return new Event("1-a", "task.started", namespace == null ? null : new JobKey(namespace, "j"), "x");
    }

    @Test
    void only_what_is_of_the_own_namespaces_is_told_and_that_something_is_missing() {
        Event.Filter limited = new Event.Filter(null, null, Set.of("a", "b"));

        assertThat(limited.matches(of("a"))).isTrue();
        assertThat(limited.matches(of("b"))).isTrue();
        assertThat(limited.matches(of("c"))).isFalse();
        assertThat(limited.matches(of(null))).as("a node").isFalse();
        assertThat(limited.matches(Events.gap(Instant.EPOCH, Instant.EPOCH))).isTrue();
        assertThat(new Event.Filter("a", null, Set.of("a", "b")).matches(of("b")))
                .isFalse();
        assertThat(new Event.Filter("c", null, Set.of("a")).matches(of("c"))).isFalse();
        assertThat(new Event.Filter(null, null).matches(of(null))).isTrue();
    }
}
