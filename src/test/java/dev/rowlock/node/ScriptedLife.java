package dev.rowlock.node;

import dev.rowlock.audit.Audit;
import dev.rowlock.db.Database;
import dev.rowlock.definition.GroupDefinition;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Outcome;
import dev.rowlock.exec.LaunchSpec;
import dev.rowlock.http.Refused;
import dev.rowlock.job.group.Groups;
import dev.rowlock.job.store.GroupStore;
import dev.rowlock.report.explain.Explain;
import dev.rowlock.report.explain.Explanation;
import dev.rowlock.support.ExplainedHistory;
import dev.rowlock.support.TestDatabase;
import dev.rowlock.task.LaunchId;
import dev.rowlock.task.RerunRequest;
import dev.rowlock.task.query.TaskQueries;
import dev.rowlock.task.transition.GroupWaits;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An hour in the life of 500 jobs of all policies, played by a script: the clock is moved by hand, commands end as a
 * hash of their occurrence says, people edit, pause, kill and run again, nodes die, are drained, and stand still. What
 * is recorded afterwards depends on the script alone, so that two builds of Rowlock can be compared line by line.
 */
final class ScriptedLife implements AutoCloseable {

    private static final Instant START = Instant.parse("2026-03-28T23:40:00.250Z");

    private static final List<String> SCHEDULES = List.of(
            "'*/10 * * * * *'",
            "'*/20 * * * * *'",
            "'* * * * *'",
            "'*/2 * * * *'",
            "'*/5 * * * *', 'zone': 'Europe/Berlin'",
            "'*/20 * * * *', 'zone': 'Asia/Kolkata', 'jitter': '25s'",
            "'@every 90s'",
            "'@at 2026-03-29T00:07:00Z'",
            "'30 * * * * *', 'startAt': '2026-03-28T23:50:00Z', 'endAt': '2026-03-29T00:20:00Z'",
            "'*/15 * * * * *', 'maxRuns': 12",
            "'* * * * *', 'jitter': '20s'");

    private static final List<String> POLICIES = List.of(
            "",
            ", 'misfire': 'SKIP'",
            ", 'misfire': 'SKIP', 'misfireThreshold': '5s'",
            ", 'overlap': 'QUEUE', 'misfire': 'RUN_ALL'",
            ", 'overlap': 'QUEUE', 'overlapLimit': 2, 'startDeadline': '2m'",
            ", 'overlap': 'ALLOW', 'misfire': 'RUN_ALL', 'catchUpLimit': 3",
            ", 'overlap': 'ALLOW', 'overlapLimit': 2",
            ", 'overlap': 'REPLACE'",
            ", 'retry': {'max': 2, 'backoff': '45s', 'maxBackoff': '45s'}",
            ", 'overlap': 'QUEUE', 'retry': {'max': 1, 'backoff': '45s'}",
            ", 'onLost': 'FAIL'",
            ", 'startDeadline': '30s'",
            ", 'group': 'few', 'priority': %d",
            ", 'group': 'few', 'overlap': 'QUEUE'",
            ", 'group': 'none', 'startDeadline': '3m'",
            ", 'nodes': 'role=db'",
            ", 'nodes': 'role=gone', 'startDeadline': '100s'",
            ", 'maxPerNode': 1, 'overlap': 'ALLOW'",
            ", 'broadcast': true, 'stopOnFailure': true, 'broadcastParallel': 1",
            ", 'broadcast': true, 'retry': {'max': 1, 'backoff': '45s'}");

    private static final String ROWS = """
            select concat('history ', h.namespace, '/', h.job, ' ', h.fire_time, ' ', h.origin, ' ', h.attempt) as k,
                   concat_ws(' | ', h.cause, h.outcome, coalesce(h.reason, '-'), 'late',
                     if(h.cause = 'RETRY', '-', coalesce(h.lateness_ms, '-')),
                     'times', h.occurrences, h.last_fire_time, 'next', coalesce(t.next_fire_time, '-'), 'v',
                     h.job_version, 'queued', coalesce(h.queued_at, '-'), h.priority, coalesce(h.group_name, '-'),
                     'for', coalesce(concat('task ', h.superseded_by), '-'),
                     coalesce(concat('task ', h.replaced_by), '-'), coalesce(h.exit_code, '-'),
                     if(h.cause = 'RETRY', '-', coalesce(t.due_at, '-')), t.withdrawn) as v
              from v_history h join task_history t on t.id = h.id
            union all
            select concat('missed ', namespace, '/', job, ' ', fire_time),
                   concat_ws(' | ', outcome, occurrences, last_fire_time, coalesce(reason, '-')) from v_missed
            union all
            select concat('hidden ', namespace, '/', job, ' ', fire_time, ' ', origin, ' ', attempt),
                   concat_ws(' | ', outcome, coalesce(reason, '-'), coalesce(next_fire_time, '-')) from task_history
             where outcome = 'EXPANDED' or withdrawn
            union all
            select concat('upcoming ', namespace, '/', job, ' ', fire_time, ' ', origin, ' ', attempt),
                   concat_ws(' | ', if(cause = 'RETRY', '-', coalesce(due_at, '-')), state, cause, coalesce(waits_for, '-'),
                     coalesce(queued_at, '-'), priority, coalesce(group_name, '-'), coalesce(reason, '-'))
              from v_upcoming
            union all
            select concat('running ', namespace, '/', job, ' ', fire_time, ' ', origin, ' ', attempt),
                   concat_ws(' | ', cause, started_at, coalesce(queued_at, '-'), priority) from v_running
            union all
            select concat('job ', namespace, '/', name),
                   concat_ws(' | ', state, coalesce(next_fire_time, '-'), version, coalesce(paused_until, '-')) from v_job
             order by 1, 2
            """;
    /** Ids are given in an order that nobody promises. */
    private static final String IDS = """
            select id, concat('<', job, ' ', fire_time, ' ', attempt, '>') as name from v_upcoming
            union all
            select id, concat('<', job, ' ', fire_time, ' ', attempt, '>') from v_running
            union all
            select id, concat('<', job, ' ', fire_time, ' ', attempt, '>') from task_history
            """;
    /** Of what can be ended by its id. */
    private static final String LIVE = """
            select id from (select id, job, fire_time, origin, attempt from v_upcoming
                            union all
                            select id, job, fire_time, origin, attempt from v_running) l
             where job = '%s' order by fire_time, origin, attempt limit 1
            """;

    private static final Pattern ID = Pattern.compile("(?<=task |task=|run:|again-)[0-9]+");
    /** Drawn at random, or an id in another notation. */
    private static final Pattern DRAWN = Pattern.compile("\\b[0-9a-f]{8}-[0-9a-f]{4}\\b|(?<=#)-?[0-9a-z]+");

    private final PlayedCluster cluster;
    private final Database database;
    private final Random random;
    private final int jobs;
    private final Map<LaunchId, Instant> ends = new HashMap<>();
    private final Set<LaunchId> seen = new HashSet<>();
    private String node = "";
    private int lives;

    ScriptedLife(TestDatabase server, Path dir, int jobs, long seed) {
        this.jobs = jobs;
        this.random = new Random(seed);
        cluster = new PlayedCluster(server, dir, START, 400);
        database = Database.single(cluster.playground.address(), Duration.ofSeconds(60));
        cluster.time.rules(database);
        // Which stripe a job has, and so which of two equals comes first, follows from its id.
        cluster.rows.run("alter table job auto_increment = 1");
        join();
    }

    /** One node at a time: which of two takes a task depends on ids that they draw. */
    private void join() {
        node = "node-" + ++lives;
        cluster.join(node, Map.of("role", "db"));
        cluster.node(node).nanos.stop();
    }

    /** Everything that happens, in steps of ten seconds. */
    void play(Duration time) {
        group("few", 3);
        group("none", 0);
        for (int i = 0; i < jobs; i++) {
            put(i, i);
        }
        for (Instant until = cluster.time.now().plus(time); cluster.time.now().isBefore(until); ) {
            cluster.time.advance(Duration.ofSeconds(10));
            for (int i = 0; i < 3; i++) {
                refusable(this::ask);
            }
            round();
        }
    }

    private static String nameOf(int job) {
        return "job-%03d".formatted(job);
    }

    private void put(int job, int kind) {
        String policy = POLICIES.get(kind % POLICIES.size()).formatted(kind % 7 - 3);
        String schedule = SCHEDULES.get(kind / POLICIES.size() % SCHEDULES.size());
        refusable(() -> cluster.put(nameOf(job), ("'schedule': " + schedule + policy).replace('\'', '"')));
    }

    /** What makes no sense together is refused, by every build alike. */
    private static void refusable(Runnable action) {
        try {
            action.run();
        } catch (Refused e) {
            Objects.requireNonNull(e.getMessage());
        }
    }

    private void group(String name, int limit) {
        cluster.time.hold();
        new Groups(new GroupStore(database), new TaskQueries(database), () -> {})
                .put(name, new GroupDefinition(limit, ""));
    }

    private void ask() {
        int job = random.nextInt(jobs);
        int kind = random.nextInt(10_000);
        JobKey key = new JobKey("default", nameOf(job));
        cluster.time.hold();
        switch (random.nextInt(16)) {
            case 0, 1, 2 -> put(job, kind);
            case 3 -> cluster.command(nameOf(job), "echo " + kind);
            case 4 -> cluster.pause(nameOf(job));
            case 5 -> cluster.pauseUntil(nameOf(job), cluster.time.now().plusSeconds(30 + kind % 400));
            case 6, 7 -> cluster.resume(nameOf(job));
            case 8 -> cluster.delete(nameOf(job));
            case 9, 10 -> cluster.jobs.run(key, null);
            case 11 -> kill(job);
            case 12 ->
                cluster.reruns.rerun(
                        new RerunRequest(
                                cluster.time.now().minusSeconds(600),
                                cluster.time.now(),
                                null,
                                key.toString(),
                                null,
                                Set.of(Outcome.FAILED, Outcome.MISSED, Outcome.SKIPPED, Outcome.KILLED),
                                20,
                                false),
                        null);
            case 13 -> group(kind % 2 == 0 ? "few" : "none", kind % 5);
            case 14 -> drain(kind % 3 == 0);
            default -> happens(kind);
        }
    }

    private void kill(int job) {
        List<Map<String, @Nullable String>> live = cluster.rows.all(LIVE.formatted(nameOf(job)));
        if (!live.isEmpty()) {
            cluster.tasks.kill(Long.parseLong(String.valueOf(live.get(0).get("id"))));
        }
    }

    private void drain(boolean drained) {
        cluster.settings.change(node, setting -> setting.withDrained(drained), Audit.NONE);
    }

    private void happens(int kind) {
        if (kind % 8 == 0) {
            cluster.sleep(Duration.ofSeconds(90));
        } else {
            die();
        }
    }

    /** With all that it executes, which the next one finds out at once. */
    private void die() {
        String session = cluster.node(node).session();
        long beat = Long.parseLong(
                String.valueOf(cluster.rows.one("select beat from session where id = '" + session + "'")));
        cluster.crash(node);
        join();
        cluster.time.hold();
        HandDrivenNode next = cluster.node(node);
        if (!next.sessions.expire(next.session(), session, beat, "it was not heard of")) {
            throw new AssertionError("session " + session + " could not be expired");
        }
    }

    private void round() {
        HandDrivenNode on = cluster.node(node);
        for (int pass = 0; pass < 2; pass++) {
            cluster.time.hold();
            on.keeper.runOnce();
            on.reaper.runOnce();
            endCommands(on);
            on.recorder.runOnce();
            on.compensator.runOnce();
            on.waits.runOnce();
            on.reconsidering.runOnce();
            new GroupWaits(database).wake();
            on.schedule();
            cluster.endPauses(node);
        }
    }

    /** One in eight takes a while, one in six fails. */
    private void endCommands(HandDrivenNode on) {
        for (LaunchSpec spec : List.copyOf(on.processes.started)) {
            Map<String, String> environment = spec.environment();
            int hash = Math.floorMod(
                    (environment.get("ROWLOCK_JOB")
                                    + environment.get("ROWLOCK_FIRE_TIME")
                                    + environment.get("ROWLOCK_ATTEMPT"))
                            .hashCode(),
                    1_000);
            Instant end = ends.computeIfAbsent(
                    spec.launchId(), launch -> cluster.time.now().plusSeconds(hash % 8 == 0 ? 20 + hash % 70 : 0));
            if (!end.isAfter(cluster.time.now()) && seen.add(spec.launchId())) {
                on.processes.end(spec.launchId(), hash % 6 == 0 ? 1 : 0);
            }
        }
    }

    /** All that people can read of it, in an order that depends on the script alone. */
    List<String> record() {
        cluster.time.hold();
        Map<String, String> ids = new HashMap<>();
        database.autoCommit(
                "reading ids",
                handle -> handle.createQuery(IDS)
                        .map((row, context) -> ids.put(row.getString("id"), row.getString("name")))
                        .list());
        List<String> lines = new ArrayList<>(database.autoCommit(
                "reading what became of it",
                handle -> handle.createQuery(ROWS)
                        .map((row, context) -> row.getString("k") + " = " + row.getString("v"))
                        .list()));
        cluster.verify().stream()
                .map(account -> "verify " + account.key() + " = " + account.recorded() + " " + account.live() + " "
                        + account.overtaken() + " " + account.deleted() + " " + account.discrepancies() + " "
                        + account.unreadable())
                .sorted()
                .forEach(lines::add);
        Explain explain = ExplainedHistory.explain(database);
        for (int job = 0; job < jobs; job++) {
            for (int minutes : new int[] {5, 17, 26, 38}) {
                cluster.time.hold();
                Instant at = START.plus(Duration.ofMinutes(minutes)).plusMillis(-250);
                Optional<Explanation> why = explain.at(new JobKey("default", nameOf(job)), at);
                lines.add("explain " + nameOf(job) + " " + at + " = "
                        + why.map(ScriptedLife::text).orElse("-"));
            }
        }
        return lines.stream().map(line -> named(line, ids)).sorted().toList();
    }

    /** How long a retry waits varies with the id of its task. */
    private static String text(Explanation why) {
        boolean retried =
                why.summary().contains("RETRY") || why.steps().toString().contains("RETRY");
        return retried ? String.valueOf(why.verdict()) : why.verdict() + " " + why.summary() + " " + why.steps();
    }

    private static String named(String line, Map<String, String> ids) {
        Matcher numbers = ID.matcher(DRAWN.matcher(line).replaceAll("DRAWN"));
        return numbers.replaceAll(number -> Matcher.quoteReplacement(ids.getOrDefault(number.group(), number.group())));
    }

    @Override
    public void close() throws java.io.IOException {
        database.close();
        cluster.close();
    }
}
