package dev.rowlock.node;

import dev.rowlock.audit.Audit;
import dev.rowlock.db.Database;
import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.GroupDefinition;
import dev.rowlock.definition.JobKey;
import dev.rowlock.http.Precondition;
import dev.rowlock.job.group.Groups;
import dev.rowlock.job.store.GroupStore;
import dev.rowlock.report.explain.Explain;
import dev.rowlock.report.explain.Explanation;
import dev.rowlock.support.ExplainedHistory;
import dev.rowlock.support.TestDatabase;
import dev.rowlock.task.LaunchId;
import dev.rowlock.task.history.Retention;
import dev.rowlock.task.query.TaskQueries;
import dev.rowlock.task.transition.GroupWaits;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/** A cluster that is played, and what explains it. */
final class ExplainStage implements AutoCloseable {

    static final Instant START = Instant.parse("2026-03-02T10:00:01Z");

    final PlayedCluster cluster;
    private final Database database;
    private final Explain explain;

    private final boolean works;
    private final Set<String> happened = new HashSet<>();
    private final Map<String, String> lostBeats = new HashMap<>();

    /** @param works whether all that is started ends well at once */
    ExplainStage(TestDatabase server, Path dir, int capacity, boolean works) {
        this.works = works;
        cluster = new PlayedCluster(server, dir, START, capacity);
        database = Database.single(cluster.playground.address(), Duration.ofSeconds(30));
        cluster.time.rules(database);
        explain = ExplainedHistory.explain(database);
        cluster.rows.run("delete from setting where name = 'history-purged'");
        join("a", Map.of());
    }

    /** All of them at the same time. */
    void play(List<ExplainScript> scripts) {
        SortedSet<Integer> seconds = new TreeSet<>();
        scripts.forEach(script -> seconds.addAll(script.seconds()));
        int now = 0;
        for (int second : seconds) {
            int from = now;
            if (scripts.stream().anyMatch(script -> script.isAsleep(from))) {
                cluster.sleep(Duration.ofSeconds(second - now));
            } else {
                pass(second - now);
            }
            scripts.forEach(script -> script.play(second, this));
            now = second;
        }
    }

    void once(String what, Runnable action) {
        if (happened.add(what)) {
            action.run();
        }
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

    /** Nothing more is asked of the job, so that it need not run. */
    void over(String name) {
        if (cluster.rows.count("job where name = '" + name + "'") > 0) {
            cluster.delete(name);
        }
    }

    void kill(long task) {
        cluster.time.hold();
        cluster.tasks.kill(task);
    }

    void drain(String node) {
        cluster.time.hold();
        cluster.settings.change(node, setting -> setting.withDrained(true), Audit.NONE);
    }

    void pause(String name, String json) {
        cluster.time.hold();
        cluster.jobs
                .pauses()
                .pause(
                        new JobKey("default", name),
                        dev.rowlock.definition.Pause.parse(PlayedCluster.json(json.replace('\'', '"'))),
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

    /** So many seconds go by, the nodes at work. */
    void pass(int seconds) {
        Instant until = cluster.time.now().plusSeconds(seconds);
        while (cluster.time.now().isBefore(until)) {
            cluster.time.advance(Duration.ofSeconds(stride(until)));
            if (works) {
                cluster.round();
            } else {
                look();
            }
        }
    }

    private void look() {
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

    /** In the middle of a minute, nothing happens that has to be seen to the second. */
    private int stride(Instant until) {
        long second = cluster.time.now().getEpochSecond() % 60;
        boolean isQuiet = second >= 5 && second <= 45;
        boolean isSoon = cluster.time.now().plusSeconds(12).isAfter(until);
        return isQuiet && !isSoon ? 5 : 1;
    }

    /** All that executes of that job ends so, and that is recorded. */
    void each(String job, BiConsumer<FakeProcesses, LaunchId> end) {
        for (HandDrivenNode node : cluster.nodes()) {
            cluster.time.hold();
            node.processes.of("default/" + job).forEach(launch -> end.accept(node.processes, launch));
            node.recorder.runOnce();
        }
    }

    /** Its own clock stands still from then on, so that nothing depends on how long the test takes. */
    void join(String name, Map<String, String> labels) {
        cluster.join(name, labels);
        cluster.node(name).nanos.stop();
    }

    /** A node dies, and nobody knows it yet. */
    void lose(String name) {
        String session = cluster.node(name).session();
        lostBeats.put(name, session + " " + cluster.rows.one("select beat from session where id = '" + session + "'"));
        cluster.crash(name);
    }

    /** It ends what it executes, and leaves. */
    void stop(String name) {
        HandDrivenNode node = cluster.node(name);
        cluster.time.hold();
        node.departure.giveBackPrepared();
        node.departure.endCommands(node.processes, Duration.ZERO);
        node.recorder.runOnce();
        node.departure.leave();
    }

    /** Another one finds that out. */
    void expire(String name) {
        String[] beat = Objects.requireNonNull(lostBeats.get(name)).split(" ", -1);
        HandDrivenNode witness = cluster.nodes().get(0);
        cluster.time.hold();
        String reason = "node " + name + " was not heard of for longer than the session timeout";
        if (!witness.sessions.expire(witness.session(), beat[0], Long.parseLong(beat[1]), reason)) {
            throw new AssertionError("session " + beat[0] + " could not be expired");
        }
    }

    void purge(Instant before) {
        cluster.rows.run("delete from task_history where ended_at < '" + SqlTime.text(before) + "'");
        new Retention(database).note(before);
    }

    Explanation at(String job, Instant at) {
        cluster.time.hold();
        return explain.at(new JobKey("default", job), at).orElseThrow();
    }

    Explanation now(String job) {
        cluster.time.hold();
        return explain.at(new JobKey("default", job), null).orElseThrow();
    }

    Explanation task(long id) {
        cluster.time.hold();
        return explain.task(id).orElseThrow();
    }

    /** The newest task of the job in history that has that outcome. */
    Explanation ended(String job, String outcome) {
        return task(Long.parseLong(String.valueOf(cluster.rows.one("select id from task_history where job = '" + job
                + "' and outcome = '" + outcome + "' order by id desc limit 1"))));
    }

    /** The only one, or the newest, of the job's live tasks that have been made for a time that has come. */
    Explanation live(String job) {
        return task(Long.parseLong(String.valueOf(
                cluster.rows.one("select t.id from live_task t join job j on j.id = t.job_id where j.name = '"
                        + job + "' and t.fire_time <= '" + SqlTime.text(cluster.time.now())
                        + "' order by t.id desc limit 1"))));
    }

    /** The node that has a task in this state. */
    String nodeOf(String state) {
        return String.valueOf(cluster.rows.one(
                "select s.node from live_task t join session s on s.id = t.session_id where t.state = '" + state
                        + "'"));
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
