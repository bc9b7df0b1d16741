package dev.rowlock.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.cluster.ClusterSession.SessionState;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StripeAssignmentTest {

    @Test
    void every_stripe_has_one_session_that_prefers_it() {
        Map<String, List<Integer>> preferred =
                StripeAssignment.of(List.of(alive("a", 10), alive("b", 10), alive("c", 10)), 64);

        Set<Integer> all = new HashSet<>();
        preferred.values().forEach(all::addAll);
        assertThat(all).hasSize(64);
        assertThat(preferred.values().stream().mapToInt(List::size).sum()).isEqualTo(64);
        assertThat(preferred.values())
                .allSatisfy(stripes -> assertThat(stripes.size()).isBetween(8, 36));
    }

    @Test
    void a_session_that_comes_takes_stripes_from_the_others_and_moves_none_between_them() {
        Map<String, List<Integer>> before = StripeAssignment.of(List.of(alive("a", 10), alive("b", 10)), 64);
        Map<String, List<Integer>> after =
                StripeAssignment.of(List.of(alive("a", 10), alive("b", 10), alive("c", 10)), 64);

        assertThat(before.get("a")).containsAll(after.get("a"));
        assertThat(before.get("b")).containsAll(after.get("b"));
        assertThat(after.get("c")).isNotEmpty();
    }

    @Test
    void shares_follow_capacity() {
        Map<String, List<Integer>> preferred = StripeAssignment.of(List.of(alive("a", 30), alive("b", 10)), 4096);

        assertThat(preferred.get("a").size() / (double) preferred.get("b").size())
                .isBetween(2.4, 3.6);
    }

    @Test
    void a_draining_session_prefers_nothing() {
        Map<String, List<Integer>> preferred =
                StripeAssignment.of(List.of(alive("a", 10), member("b", "b", 10, SessionState.DRAINING, 1)), 64);

        assertThat(preferred.get("a")).hasSize(64);
        assertThat(preferred.get("b")).isEmpty();
    }

    private static ClusterSession alive(String id, int capacity) {
        return member(id, id, capacity, SessionState.ALIVE, 1);
    }

    static ClusterSession member(String id, String node, int capacity, SessionState state, long beat) {
        return member(id, node, capacity, state, beat, null);
    }

    static ClusterSession member(
            String id, String node, int capacity, SessionState state, long beat, @Nullable Duration timeout) {
        return new ClusterSession(
                id,
                new ClusterSession.Host("h", "boot", 1, 1),
                node,
                "0",
                Map.of(),
                capacity,
                Instant.EPOCH,
                beat,
                Instant.EPOCH,
                state,
                0,
                0,
                0,
                timeout,
                Map.of(),
                new ClusterSession.Configured(Map.of(), capacity),
                false);
    }
}
