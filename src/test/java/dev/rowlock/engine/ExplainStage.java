package dev.rowlock.engine;

import dev.rowlock.control.Groups;
import dev.rowlock.control.Precondition;
import dev.rowlock.db.Database;
import dev.rowlock.db.SqlTime;
import dev.rowlock.explain.Explain;
import dev.rowlock.explain.Explanation;
import dev.rowlock.job.GroupDefinition;
import dev.rowlock.job.JobKey;
import dev.rowlock.store.history.Retention;
import dev.rowlock.store.job.GroupStore;
import dev.rowlock.store.task.GroupWaits;
import dev.rowlock.store.task.TaskQueries;
import dev.rowlock.support.ExplainedHistory;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** A cluster that is played, and what explains it. Nodes that have joined have a capacity of 3. */
final class ExplainStage implements AutoCloseable {

    static final Instant START = Instant.parse("2026-03-02T10:00:01Z");

    final PlayedCluster cluster;
    private final Database database;
    private final Explain explain;

    ExplainStage(TestDatabase server, Path dir) {
        this(server, dir, START);
    }

    ExplainStage(TestDatabase server, Path dir, Instant start) {
        cluster = new PlayedCluster(server, dir, start, 3);
        database = Database.single(cluster.playground.address(), Duration.ofSeconds(30));
        cluster.time.rules(database);
        explain = ExplainedHistory.explain(database);
        cluster.rows.run("delete from setting where name = 'history-purged'");
        join("a", Map.of());
    }

    HandDrivenNode a() {
        return cluster.node("a");
    }

    void put(String name, String fields) {
        cluster.put(name, fields.replace('\'', '"'));
    }

    long run(String name) {
        cluster.time.hold();
        return cluster.jobs.run(new JobKey("default", name), null).task();
    }

    void pause(String name, String json) {
        cluster.time.hold();
        cluster.jobs
                .pauses()
                .pause(
                        new JobKey("default", name),
                        dev.rowlock.job.Pause.parse(PlayedCluster.json(json.replace('\'', '"'))),
                        Precondition.NONE);
    }

    void group(String name, int limit) {
        cluster.time.hold();
        new Groups(new GroupStore(database), new TaskQueries(database), () -> {})
                .put(name, new GroupDefinition(limit, ""));
    }

    void wakeGroups() {
        cluster.time.hold();
        new GroupWaits(database).wake();
    }

    /** So many seconds go by, the nodes at work and nothing ending. */
    ExplainStage look(int seconds) {
        Instant until = cluster.time.now().plusSeconds(seconds);
        while (cluster.time.now().isBefore(until)) {
            cluster.time.advance(Duration.ofSeconds(stride(until)));
            for (HandDrivenNode node : cluster.nodes()) {
                cluster.time.hold();
                node.keeper.runOnce();
                node.reaper.runOnce();
                node.recorder.runOnce();
                node.compensator.runOnce();
                node.waits.runOnce();
                node.schedule();
            }
        }
        return this;
    }

    /** In the middle of a minute, nothing happens that has to be seen to the second. */
    private int stride(Instant until) {
        long second = cluster.time.now().getEpochSecond() % 60;
        boolean isQuiet = second >= 5 && second <= 48;
        boolean isSoon = cluster.time.now().plusSeconds(12).isAfter(until);
        return isQuiet && !isSoon ? 5 : 1;
    }

    /** All that executes ends so, and that is recorded. */
    ExplainStage end(int exitCode) {
        for (HandDrivenNode node : cluster.nodes()) {
            cluster.time.hold();
            node.processes.end(exitCode);
            node.recorder.runOnce();
        }
        return this;
    }

    /** So many seconds go by, and all that is started ends well. */
    ExplainStage work(int seconds) {
        Instant until = cluster.time.now().plusSeconds(seconds);
        while (cluster.time.now().isBefore(until)) {
            cluster.time.advance(Duration.ofSeconds(stride(until)));
            cluster.round();
        }
        return this;
    }

    ExplainStage sleep(int seconds) {
        cluster.sleep(Duration.ofSeconds(seconds));
        return this;
    }

    /** The only node dies, nobody is there for so long, and another comes. */
    ExplainStage outage(int seconds) {
        cluster.crash("a");
        cluster.sleep(Duration.ofSeconds(seconds));
        join("b", Map.of());
        return this;
    }

    /** Its own clock stands still from then on, so that nothing depends on how long the test takes. */
    void join(String name, Map<String, String> labels) {
        cluster.join(name, labels);
        cluster.node(name).nanos.stop();
    }

    /** A node dies, and another one finds that out after 35 seconds. */
    ExplainStage lose(String name) {
        HandDrivenNode dead = cluster.node(name);
        String session = dead.session();
        long beat = Long.parseLong(
                String.valueOf(cluster.rows.one("select beat from session where id = '" + session + "'")));
        cluster.crash(name);
        look(35);
        HandDrivenNode witness = cluster.nodes().get(0);
        cluster.time.hold();
        String reason = "node " + name + " was not heard of for longer than the session timeout";
        if (!witness.sessions.expire(witness.session(), session, beat, reason)) {
            throw new AssertionError("session " + session + " could not be expired");
        }
        return look(1);
    }

    void purge(Instant before) {
        cluster.rows.run("delete from task_history where ended_at < '" + SqlTime.text(before) + "'");
        new Retention(database).note(before);
    }

    Explanation at(String job, Instant at) {
        cluster.time.hold();
        return explain.at(new JobKey("default", job), at).orElseThrow();
    }

    Explanation task(long id) {
        cluster.time.hold();
        return explain.task(id).orElseThrow();
    }

    /** The newest task in history that has that outcome. */
    Explanation ended(String outcome) {
        return task(Long.parseLong(String.valueOf(cluster.rows.one(
                "select id from task_history where outcome = '" + outcome + "' order by id desc limit 1"))));
    }

    /** The only one, or the newest, of the live tasks that have been made for a time that has come. */
    Explanation live() {
        return task(Long.parseLong(String.valueOf(cluster.rows.one("select id from task where fire_time <= '"
                + SqlTime.text(cluster.time.now()) + "' order by id desc limit 1"))));
    }

    /** An instant of the day on which all this happens. */
    static Instant time(String time) {
        return Instant.parse(time.contains("T") ? time : "2026-03-02T" + time + "Z");
    }

    @Override
    public void close() throws IOException {
        database.close();
        cluster.close();
    }
}
