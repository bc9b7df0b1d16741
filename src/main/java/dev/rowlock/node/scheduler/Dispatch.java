package dev.rowlock.node.scheduler;

import dev.rowlock.cluster.Lease.Trust;
import dev.rowlock.definition.JobDefinition;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Limits;
import dev.rowlock.definition.ScheduleLines.ScheduleLine;
import dev.rowlock.exec.LaunchSpec;
import dev.rowlock.exec.Processes;
import dev.rowlock.exec.RunOptions;
import dev.rowlock.exec.StopCause;
import dev.rowlock.node.Executing;
import dev.rowlock.node.NodeContext;
import dev.rowlock.node.PreparedTasks;
import dev.rowlock.node.scheduler.DefinitionCache.CachedDefinition;
import dev.rowlock.node.session.SessionGuard;
import dev.rowlock.secret.SecretSource;
import dev.rowlock.task.NotRunReason;
import dev.rowlock.task.Task;
import dev.rowlock.task.store.StartResult;
import dev.rowlock.task.store.Started;
import dev.rowlock.task.transition.Acquire;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Hand-over of what a committed transaction has moved: prepared tasks go to memory, started ones to the launcher, with
 * the environment of their commands, and all of it to the counts.
 */
final class Dispatch {

    private static final DateTimeFormatter ISO =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT);

    private final NodeContext node;
    private final Processes processes;
    private final SessionGuard guard;
    /** Last fire time as text; what is due at one instant is started together. */
    private String lastFireTime = "";

    private Instant lastFire = Instant.MIN;

    Dispatch(NodeContext node, Processes processes, SessionGuard guard) {
        this.node = node;
        this.processes = processes;
        this.guard = guard;
    }

    /** Returns whether a guard stands by and processes can be made; else nothing is started. */
    boolean mayStart() {
        return guard.stands() && processes.spawnProblem().isEmpty();
    }

    /** Hands over what was prepared, and returns whether anything was. */
    boolean prepared(PreparedTasks prepared, Acquire.Prepared done) {
        prepared.add(done.tasks());
        node.counts().notRun(NotRunReason.OVERLAP, done.skipped());
        return !done.tasks().isEmpty();
    }

    /**
     * Hands over what was started.
     *
     * @param jobs by the tasks that were started
     * @param secrets of each job's command, by the names of the variables
     * @param lines of schedules, by the tasks whose fire times they have
     */
    void started(
            StartResult result,
            Function<Task, CachedDefinition> jobs,
            Function<JobKey, Map<String, SecretSource>> secrets,
            Map<Long, ScheduleLine> lines,
            Trust trust) {
        result.replaced().forEach(launch -> processes.kill(launch, StopCause.REQUEST)); // those that run here
        result.notRun().forEach(reason -> node.counts().notRun(reason, 1));
        Instant now = node.clock().now();
        for (Started started : result.started()) {
            CachedDefinition job = jobs.apply(started.task());
            ScheduleLine line = lines.get(started.task().id());
            run(started, job, secrets.apply(job.definition().key()), line, trust, now);
        }
    }

    /**
     * Runs a task whose start is committed. Its shell compares the deadline of {@code trust} with the machine's uptime
     * before it does anything, so that a JVM that was frozen starts nothing.
     *
     * @param secrets of the job, by the names of the variables that are to hold them
     * @param line of the schedule, whose fire time it has; null: none, or none that is known
     * @param now by the database's clock
     */
    private void run(
            Started started,
            CachedDefinition job,
            Map<String, SecretSource> secrets,
            @Nullable ScheduleLine line,
            Trust trust,
            Instant now) {
        JobDefinition definition = started.overrides().of(job.definition());
        Executing executing = new Executing(started, definition, job.policy(), trust);
        node.counts().started(executing, now);
        @Nullable String trace = node.traces().started(executing, now);
        LaunchSpec spec = new LaunchSpec(
                executing.launch(),
                trust.sessionId(),
                definition.command(),
                definition.workdir() == null ? null : Path.of(definition.workdir()),
                environment(started, job, line, trust, trace),
                secrets,
                options(definition),
                definition.timeout(),
                definition.killGrace(),
                trust.deadlineUptimeMillis());
        node.localTasks().addExecuting(executing);
        processes.start(spec);
    }

    private static RunOptions options(JobDefinition job) {
        return new RunOptions(
                job.user(),
                job.umask(),
                job.nice(),
                job.limits() == null ? Limits.NONE : job.limits(),
                job.shell(),
                job.stdin());
    }

    private Map<String, String> environment(
            Started started, CachedDefinition job, @Nullable ScheduleLine line, Trust trust, @Nullable String trace) {
        Task task = started.task();
        Map<String, String> environment = new HashMap<>(job.definition().env());
        environment.putAll(line == null ? Map.of() : line.env());
        environment.putAll(started.overrides().env());
        environment.put("ROWLOCK_SCHEDULE", line == null ? "" : line.schedule());
        environment.put("ROWLOCK_JOB", job.definition().key().toString());
        environment.put("ROWLOCK_TASK_ID", Long.toString(task.id()));
        environment.put("ROWLOCK_LAUNCH_ID", task.ref().held().text());
        environment.put("ROWLOCK_SESSION", trust.sessionId());
        environment.put("ROWLOCK_NODE", node.settings().node());
        environment.put("ROWLOCK_FIRE_TIME", fireTime(task.fireTime()));
        environment.put("ROWLOCK_ATTEMPT", Integer.toString(task.attempt()));
        environment.put("ROWLOCK_CAUSE", task.cause().name());
        environment.put("ROWLOCK_FENCING_TOKEN", Long.toString(started.fencingToken()));
        if (trace != null) {
            environment.put("TRACEPARENT", trace);
        }
        return environment;
    }

    private String fireTime(Instant t) {
        if (!t.equals(lastFire)) {
            lastFireTime = ISO.format(t.atOffset(ZoneOffset.UTC));
            lastFire = t;
        }
        return lastFireTime;
    }
}
