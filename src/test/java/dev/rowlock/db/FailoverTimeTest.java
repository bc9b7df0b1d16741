package dev.rowlock.db;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FailoverTimeTest {

    private static Optional<String> warning(Map<String, String> server, int fenceSeconds) {
        return new FailoverTime(server)
                .warning(
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(fenceSeconds),
                        Duration.ofSeconds(fenceSeconds).dividedBy(4));
    }

    private static Map<String, String> group(int expelTimeout) {
        return Map.of(
                "group_replication_group_name",
                "00000000-0000-4000-8000-000000000001",
                "group_replication_member_expel_timeout",
                String.valueOf(expelTimeout));
    }

    @Test
    void the_groups_default_would_end_running_commands_at_the_default_fence() {
        assertThat(warning(group(5), 20).orElse(""))
                .contains("takes up to 23 s (group_replication_member_expel_timeout = 5)", "for 13.0 s");
        assertThat(warning(group(0), 20)).isEmpty();
        assertThat(warning(group(5), 40)).isEmpty();
        assertThat(warning(group(0), 12)).isPresent();
    }

    @Test
    void a_commit_that_waits_for_a_lost_replica_is_compared_too() {
        Map<String, String> waits =
                Map.of("rpl_semi_sync_source_enabled", "ON", "rpl_semi_sync_source_timeout", "4294967295");
        assertThat(warning(waits, 20).orElse("")).contains("rpl_semi_sync_source_timeout = 4294967295");
        assertThat(warning(Map.of("rpl_semi_sync_master_enabled", "ON", "rpl_semi_sync_master_timeout", "10000"), 20))
                .isEmpty();
        assertThat(warning(Map.of("rpl_semi_sync_source_enabled", "OFF", "rpl_semi_sync_source_timeout", "60000"), 20))
                .isEmpty();
        assertThat(warning(Map.of(), 20)).isEmpty();
    }
}
