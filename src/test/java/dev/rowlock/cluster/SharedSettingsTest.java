package dev.rowlock.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.cluster.ClusterSession.SessionState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SharedSettingsTest {

    private static final Map<String, String> OWN = Map.of("session.timeout", "30s", "session.fence", "20s");

    @Test
    void nodes_that_are_set_alike_or_do_not_say_are_no_problem() {
        assertThat(SharedSettings.differences(
                        "a",
                        OWN,
                        List.of(
                                member("a", Map.of("session.timeout", "1s")),
                                member("b", OWN),
                                member("old", Map.of()))))
                .isEmpty();
    }

    @Test
    void a_difference_names_the_setting_both_values_and_the_nodes() {
        Map<String, String> short5 = Map.of("session.timeout", "5s", "session.fence", "20s", "some.other", "x");

        assertThat(SharedSettings.differences(
                        "a", OWN, List.of(member("b", short5), member("c", OWN), member("d", short5))))
                .hasValueSatisfying(text -> assertThat(text)
                        .startsWith("settings that should be the same on all nodes differ: "
                                + "session.timeout is 30s here (node a) and 5s on node b, d. Set them alike")
                        .doesNotContain("fence"));
    }

    private static ClusterSession member(String node, Map<String, String> settings) {
        return new ClusterSession(
                "s-" + node,
                new ClusterSession.Host("h", "boot", 1, 1),
                node,
                "0",
                Map.of(),
                1,
                Instant.EPOCH,
                1,
                Instant.EPOCH,
                SessionState.ALIVE,
                0,
                0,
                0,
                null,
                settings,
                new ClusterSession.Configured(Map.of(), 1),
                false);
    }
}
