package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.definition.JobKey;
import dev.rowlock.exec.LaunchSpec;
import dev.rowlock.job.backfill.Backfills.BackfillResult;
import dev.rowlock.job.backfill.Backfills.BackfillView;
import dev.rowlock.support.TestDatabase;
import dev.rowlock.task.backfill.BackfillRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** A cluster driven by hand, and backfills of one job in it. */
@Tag("database")
abstract class BackfillsByHand {

    static final Instant START = Instant.parse("2026-03-02T10:00:01Z");
    static final Duration MINUTE = Duration.ofMinutes(1);
    static final JobKey JOB = new JobKey("default", "j");
    static final String HOUR = "'from': '2026-03-02T08:00:00Z', 'until': '2026-03-02T09:00:00Z'";
    /** Hourly at a quarter to, so that nothing of the schedule comes due meanwhile. */
    static final String QUIET = "'schedule': '*/15 0-9 * * *'";

    private final TestDatabase server;

    @TempDir
    Path dir;

    PlayedCluster cluster;

    /** @param server of all tests of the class */
    BackfillsByHand(TestDatabase server) {
        this.server = server;
    }

    @BeforeEach
    void prepare() {
        cluster = new PlayedCluster(server, dir, START);
        cluster.rows.run("delete from idempotency_key");
    }

    @AfterEach
    void close() throws IOException {
        try {
            cluster.addsUp();
            assertThat(cluster.brokenLinks(Duration.ofDays(10))).isZero();
        } finally {
            cluster.close();
        }
    }

    void put(String fields) {
        cluster.put("j", fields.replace('\'', '"'));
    }

    static BackfillRequest request(String fields) {
        return BackfillRequest.parse(PlayedCluster.json("{" + fields.replace('\'', '"') + "}"));
    }

    BackfillResult ask(String fields) {
        BackfillRequest asked = request(fields);
        cluster.time.hold();
        return cluster.backfills.request(JOB, asked, null);
    }

    BackfillView view(BackfillResult made) {
        cluster.time.hold();
        return cluster.backfills.get(Objects.requireNonNull(made.id()));
    }

    BackfillView cancel(BackfillResult made) {
        cluster.time.hold();
        return cluster.backfills.cancel(Objects.requireNonNull(made.id()));
    }

    /** Time goes by with the node at work, and commands that go on. */
    void pass(Duration by) {
        pass(by, Duration.ofSeconds(1));
    }

    void pass(Duration by, Duration stretch) {
        for (Duration passed = Duration.ZERO; passed.compareTo(by) < 0; passed = passed.plus(stretch)) {
            cluster.time.advance(stretch);
            cluster.node("a").keeper.runOnce();
            look();
        }
    }

    void look() {
        cluster.takeTurns();
        schedule();
    }

    void schedule() {
        cluster.time.hold();
        cluster.node("a").schedule();
    }

    void end(int code) {
        cluster.time.hold();
        cluster.node("a").processes.end(code);
        cluster.node("a").recorder.runOnce();
    }

    List<LaunchSpec> started() {
        return cluster.node("a").processes.started;
    }

    static String fireTime(LaunchSpec spec) {
        return Objects.requireNonNull(spec.environment().get("ROWLOCK_FIRE_TIME"))
                .substring(11, 16);
    }

    void count() throws IOException {
        try (PlayedAlerts alerts = new PlayedAlerts(cluster, dir)) {
            alerts.count();
        }
    }

    String stats() {
        return cluster.rows.one("select concat_ws(' ', s.last_task, s.streak, s.samples, d.runs, d.failed,"
                + " d.max_lateness_ms, d.latenesses) from job_stats s join job_day d on d.job_id = s.job_id");
    }
}
