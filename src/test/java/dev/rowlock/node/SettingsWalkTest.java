package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.config.Config;
import dev.rowlock.config.Config.SchedulerConfig;
import dev.rowlock.config.Config.SessionConfig;
import dev.rowlock.config.SettingValues;
import dev.rowlock.support.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A node of each outermost value that is accepted runs a job of every second, and misses nothing. */
@Tag("database")
@Tag("slow")
class SettingsWalkTest {

    private static final Duration LOOK = Duration.ofMillis(300);

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    @TempDir
    Path dir;

    static Stream<SettingValues.Case> of_the_engine() {
        return SettingValues.all().stream()
                .filter(SettingValues.Case::isOfTheEngine)
                .filter(one -> !one.toString().equals("session.fence-grace=1h")); // which is refused
    }

    @ParameterizedTest
    @MethodSource("of_the_engine")
    void it_works_alone(SettingValues.Case one) throws Exception {
        try (PlayedCluster cluster = cluster()) {
            cluster.join(settings("a", one));
            cluster.put("j", "\"schedule\": \"* * * * * *\", \"misfire\": \"SKIP\"");

            cluster.work(Duration.ofSeconds(4), LOOK);

            assertThat(cluster.rows.count("task_history where outcome = 'SUCCEEDED'"))
                    .isBetween(3L, 5L);
            assertThat(cluster.rows.count("task_history where outcome <> 'SUCCEEDED'"))
                    .isZero();
            assertThat(cluster.node("a").problem()).isEmpty();
        }
    }

    /** One node prepares and dies before the next second; the other has not even expired its session. */
    @ParameterizedTest
    @MethodSource("of_the_engine")
    void what_it_takes_over_from_a_node_that_died_is_no_misfire(SettingValues.Case one) throws Exception {
        try (PlayedCluster cluster = cluster()) {
            EngineSettings settings = settings("a", one);
            cluster.join(settings);
            cluster.put("j", "\"schedule\": \"* * * * * *\", \"misfire\": \"SKIP\"");
            cluster.work(Duration.ofMillis(900), LOOK);
            cluster.join(settings("b", one));
            cluster.crash("a");

            cluster.time.advance(settings.takeover().plusMillis(1100));
            cluster.round();
            cluster.work(LOOK, LOOK);

            assertThat(cluster.node("b").processes.started).isNotEmpty();
            assertThat(cluster.rows.count("task_history where outcome = 'MISSED'"))
                    .isZero();
        }
    }

    private PlayedCluster cluster() {
        return new PlayedCluster(SERVER, dir, Instant.parse("2026-03-28T10:00:00.100Z"), 50);
    }

    private EngineSettings settings(String node, SettingValues.Case one) {
        Map<String, String> environment = new HashMap<>(one.environment());
        environment.put("ROWLOCK_HOME", dir.toString());
        Config config = Config.load(null, environment, true);
        SessionConfig session = config.session();
        SchedulerConfig scheduler = config.scheduler();
        return new EngineSettings(
                node,
                config.node().capacity(),
                session.heartbeat(),
                session.fence(),
                session.fenceGrace(),
                session.timeout(),
                scheduler.horizon(),
                scheduler.takeover(),
                config.misfireThreshold(),
                scheduler.preparedLimit(),
                scheduler.batch(),
                config.historyRetention(),
                config.historyVersions(),
                config.historyAudit(),
                config.shared());
    }
}
