package dev.rowlock.report.metrics;

import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Outcome;
import dev.rowlock.node.Counts;
import dev.rowlock.node.DatabaseCounts;
import dev.rowlock.node.JobCounts.JobCounters;
import dev.rowlock.node.scheduler.Backlog.BacklogReason;
import dev.rowlock.report.metrics.Families.Point;
import dev.rowlock.report.metrics.Families.Spread;
import dev.rowlock.report.metrics.Families.Sum;
import dev.rowlock.task.Cause;
import dev.rowlock.task.NotRunReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Metric families of a node's work and state. */
record NodeFamilies(String node, String version, Counts counts, NodeGauges gauges) {

    /**
     * Outcomes of commands, of those that declined, too; all others are recorded without one, in a transaction that any
     * node may make.
     */
    private static final List<Outcome> OF_COMMANDS = List.of(
            Outcome.SUCCEEDED, Outcome.FAILED, Outcome.TIMED_OUT, Outcome.KILLED, Outcome.LOST, Outcome.SKIPPED);

    void addTo(Families families) {
        families.gauge(
                "rowlock_info",
                "Always 1; which node this is.",
                List.of(new Point(1, "node", node, "version", version)));
        addTasks(families);
        addState(families);
        addSession(families);
        addDatabase(families);
        families.counter(
                "rowlock_alert_messages",
                "Attempts of this node to send messages of alerts and pings, by what became of them.",
                "result",
                counts.deliveries());
        addJobs(families);
    }

    private void addTasks(Families families) {
        families.counter("rowlock_tasks_started", "Commands that this node has started.", "cause", started());
        families.counter(
                "rowlock_tasks_ended",
                "Tasks of this node that have ended, by outcome.",
                "outcome",
                ended(counts.endedByOutcome()));
        families.counter(
                "rowlock_tasks_skipped",
                "Occurrences that this node has skipped, by reason.",
                "reason",
                notRun(Outcome.SKIPPED));
        families.counter(
                "rowlock_tasks_missed",
                "Occurrences that this node has given up as missed, by reason.",
                "reason",
                notRun(Outcome.MISSED));
        families.histogram(
                "rowlock_task_start_lateness_seconds",
                "How late commands were started.",
                List.of(new Spread(counts.lateness().read())));
        families.histogram(
                "rowlock_task_duration_seconds",
                "How long commands ran.",
                List.of(new Spread(counts.duration().read())));
        families.counter(
                "rowlock_takeovers", "Overdue tasks of other nodes that this node has taken over.", counts.takeovers());
        families.counter(
                "rowlock_resets",
                "Tasks that this node gave back, as the table gave them to it without its knowledge.",
                counts.resets());
        families.counter(
                "rowlock_tasks_lost",
                "Tasks of ended sessions that this node has recorded as lost.",
                gauges.lost().getAsLong());
    }

    private void addState(Families families) {
        families.gauge(
                "rowlock_tasks_running",
                "Commands that run on this node.",
                gauges.running().getAsInt());
        families.gauge(
                "rowlock_tasks_prepared",
                "Tasks that this node has prepared.",
                gauges.prepared().getAsInt());
        families.gauge(
                "rowlock_slots",
                "How many commands this node runs at once.",
                gauges.slots().getAsInt());
        families.gauge(
                "rowlock_behind_seconds",
                "How late the task is that has waited longest of those prepared here, by what it waits for.",
                Stream.of(BacklogReason.values())
                        .map(reason -> new Point(
                                gauges.behind().apply(reason).toMillis() / 1e3, "reason", Families.word(reason)))
                        .toList());
        families.gauge(
                "rowlock_results_waiting",
                "Results of commands that wait to be recorded.",
                gauges.resultsWaiting().getAsInt());
        families.gauge(
                "rowlock_results_journal_bytes",
                "The size of the journal of results.",
                gauges.journalBytes().getAsLong());
        families.gauge(
                "rowlock_outputs_waiting",
                "Outputs of commands that wait to be stored.",
                gauges.outputsWaiting().getAsInt());
    }

    private void addSession(Families families) {
        families.gauge(
                "rowlock_ready",
                "1 while this node is ready, as it says at /readyz.",
                gauges.ready().getAsBoolean() ? 1 : 0);
        families.gauge(
                "rowlock_session_trusted",
                "1 while this node may trust its session, so that it takes work.",
                gauges.trusted().getAsBoolean() ? 1 : 0);
        families.gauge(
                "rowlock_heartbeat_age_seconds",
                "Since when the session of this node was last renewed.",
                points(gauges.heartbeatAge().get()));
        families.gauge(
                "rowlock_draining",
                "1 while this node takes no further work, as it stops or was drained.",
                gauges.draining().getAsBoolean() ? 1 : 0);
        families.counter("rowlock_sessions_joined", "How often this node has joined the cluster.", counts.joins());
        families.counter(
                "rowlock_sessions_expired", "Sessions of other nodes that this node has expired.", counts.expiries());
        families.gauge(
                "rowlock_nodes",
                "Live nodes that this node knows, itself included.",
                gauges.nodes().getAsInt());
        families.gauge(
                "rowlock_clock_skew_seconds",
                "By how much the clock of this host is ahead of the database's.",
                points(gauges.clockSkew().get()));
        families.gauge(
                "rowlock_clock_doubted",
                "1 while this node does not believe the database's clock, and starts nothing.",
                gauges.clockDoubted().getAsBoolean() ? 1 : 0);
    }

    private void addDatabase(Families families) {
        Map<String, DatabaseCounts.OfStep> steps = counts.database().bySteps();
        families.histogram(
                "rowlock_database_transaction_seconds",
                "How long transactions and readings took, by step.",
                steps.entrySet().stream()
                        .map(step -> new Spread(step.getValue().seconds().read(), "step", step.getKey()))
                        .toList());
        families.counter(
                "rowlock_database_retries",
                "Transactions that were repeated after a deadlock or a wait for a lock, by step.",
                steps.entrySet().stream()
                        .map(step -> new Point(step.getValue().repeated(), "step", step.getKey()))
                        .toList());
        families.counter(
                "rowlock_database_errors",
                "Transactions and readings that failed, by step and kind.",
                steps.entrySet().stream()
                        .flatMap(step -> step.getValue().troubles().entrySet().stream()
                                .map(trouble -> new Point(
                                        trouble.getValue(),
                                        "step",
                                        step.getKey(),
                                        "kind",
                                        Families.word(trouble.getKey()))))
                        .toList());
    }

    private void addJobs(Families families) {
        Map<JobKey, JobCounters> jobs = counts.jobs().all();
        List<Point> started = new ArrayList<>();
        List<Point> ended = new ArrayList<>();
        List<Sum> durations = new ArrayList<>();
        List<Point> successes = new ArrayList<>();
        jobs.forEach((key, job) -> {
            String[] labels = {"job_namespace", key.namespace(), "job_name", key.name()
            }; // "job" is what Prometheus scrapes
            started.add(new Point(job.started(), labels));
            ended(job.ended())
                    .forEach((outcome, times) -> ended.add(new Point(
                            times,
                            Stream.concat(Stream.of(labels), Stream.of("outcome", Families.word(outcome)))
                                    .toArray(String[]::new))));
            durations.add(new Sum(job.durations(), job.durationMillis() / 1e3, labels));
            Instant success = job.lastSuccess();
            if (success != null) {
                successes.add(new Point(success.toEpochMilli() / 1e3, labels));
            }
        });
        families.counter("rowlock_job_tasks_started", "Commands of the job that this node has started.", started);
        families.counter(
                "rowlock_job_tasks_ended", "Tasks of the job that have ended on this node, by outcome.", ended);
        families.summary(
                "rowlock_job_task_duration_seconds", "How long commands of the job ran on this node.", durations);
        families.gauge(
                "rowlock_job_last_success_timestamp_seconds",
                "When a command of the job last succeeded on this node.",
                successes);
        families.gauge("rowlock_job_series", "Jobs that have series of their own on this node.", jobs.size());
        families.counter(
                "rowlock_job_series_refused",
                "Starts that were not counted by job, as too many jobs ask for it.",
                counts.jobs().refused());
    }

    private Map<Cause, Long> started() {
        return counts.startedByCause();
    }

    private static Map<Outcome, Long> ended(Map<Outcome, Long> all) {
        return OF_COMMANDS.stream()
                .collect(Collectors.toMap(outcome -> outcome, outcome -> all.getOrDefault(outcome, 0L)));
    }

    private Map<NotRunReason, Long> notRun(Outcome outcome) {
        return counts.notRunByReason().entrySet().stream()
                .filter(reason -> reason.getKey().outcome() == outcome)
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static List<Point> points(OptionalDouble value) {
        return value.isPresent() ? List.of(new Point(value.getAsDouble())) : List.of();
    }
}
