package dev.rowlock.nodes;

import static dev.rowlock.nodes.Cluster.SOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.config.SettingValues;
import dev.rowlock.support.NodeProcess;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** What a played node does not go by: a real one with all least values, one with all greatest, and those between. */
@Tag("database")
@Tag("slow")
class SettingsWalkOfNodesTest {

    /** Where the node is asked, and what is tested with a certificate or an answer from elsewhere. */
    private static final String ELSEWHERE =
            "database\\.(url|user|password)|http\\.(host|port|tls\\..*|allow-plaintext)|data\\.dir|secrets\\.key-file"
                    + "|oidc\\.client-secret-file";

    @RegisterExtension
    final TestDatabase database = new TestDatabase();

    private final Rows rows = new Rows(database);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    @Test
    void nodes_of_outermost_settings_run_a_job_of_every_second_and_stop_in_order() throws Exception {
        for (Map<String, String> settings : combined()) {
            database.empty("task", "job_next", "task_history", "task_span", "session", "job", "api_token");
            Map<String, String> environment = new TreeMap<>(NodeProcess.on(database));
            environment.putAll(settings);
            Path home = Files.createDirectories(dir.resolve("n" + settings.hashCode()));
            try (NodeProcess node = NodeProcess.start(home, environment).awaitReady(SOON)) {
                String body = "{\"schedule\": \"* * * * * *\", \"command\": \"seq 1000\"}";
                assertThat(node.send("PUT", "/api/v1/jobs/default/j", body).statusCode())
                        .as(settings.toString())
                        .isEqualTo(201);
                Until.holds(
                        SOON,
                        "runs with " + settings,
                        () -> rows.count("task_history where outcome = 'SUCCEEDED'") > 1);
                assertThat(node.status("/api/v1/overview")).isEqualTo(200);
                assertThat(rows.count("task_history where outcome not in ('SUCCEEDED', 'SKIPPED')"))
                        .as(settings.toString())
                        .isZero();
                node.terminate();
                assertThat(node.awaitExit(SOON)).isZero();
                assertThat(node.log()).doesNotContain(" ERROR ", "\"level\":\"ERROR\"");
            }
        }
    }

    /** As many as a setting has values: all least ones in the first, the next ones in the next, the last once more. */
    private static List<Map<String, String>> combined() {
        Map<String, List<SettingValues.Case>> bySetting = new LinkedHashMap<>();
        SettingValues.all().stream()
                .filter(one -> !one.isOfTheEngine() && !one.key().matches(ELSEWHERE))
                .forEach(one -> bySetting
                        .computeIfAbsent(one.key(), any -> new ArrayList<>())
                        .add(one));
        int most = bySetting.values().stream().mapToInt(List::size).max().orElseThrow();
        List<Map<String, String>> nodes = new ArrayList<>();
        for (int i = 0; i < most; i++) {
            Map<String, String> environment = new HashMap<>();
            Map<String, String> own = new HashMap<>();
            for (List<SettingValues.Case> values : bySetting.values()) {
                SettingValues.Case one = values.get(Math.min(i, values.size() - 1));
                environment.putAll(one.environment());
                own.put(SettingValues.variable(one.key()), one.value());
            }
            environment.putAll(own); // what comes with others must not take its place
            nodes.add(environment);
        }
        return nodes;
    }
}
