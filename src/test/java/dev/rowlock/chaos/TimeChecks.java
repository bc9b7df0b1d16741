package dev.rowlock.chaos;

import dev.rowlock.chaos.Findings.Kind;
import dev.rowlock.chaos.Ledger.Ended;
import dev.rowlock.chaos.Ledger.Version;
import dev.rowlock.definition.JobDefinition;
import dev.rowlock.definition.Misfire;
import dev.rowlock.definition.Overlap;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Whether everything ran when it might: in time, not while its job was paused, and not more often than it was to. */
final class TimeChecks {

    /** Times in the database are cut to milliseconds, each for itself. */
    private static final Duration TICK = Duration.ofMillis(5);
    /**
     * What is decided on what was read is written some statements later in the same transaction, and faults hold these
     * up: delays, frozen servers and nodes.
     */
    private static final Duration DECIDING = Duration.ofSeconds(3);

    /** From the decision to the command's first line, on a machine that is busy. */
    private static final long START_MILLIS = 1500;

    private static final Duration SAME_MOMENT = Duration.ofSeconds(1);

    private final Evidence evidence;
    private final Findings findings;
    private final Set<String> broadcastAgain;

    TimeChecks(Evidence evidence, Findings findings) {
        this.evidence = evidence;
        this.findings = findings;
        this.broadcastAgain = evidence.ledger().broadcastAgain();
    }

    void check(List<Execution> all) {
        for (Execution run : all) {
            inTime(run);
            notSkippedByMisfire(run);
            notInPause(run);
        }
        runsAtMost(all);
        evidence.ledger().history().forEach(this::isNotMissedAhead);
    }

    private Duration slack(Execution run) {
        long fire = evidence.uptimeOf(run.row().fire());
        return evidence.injected().stream().anyMatch(f -> f.touches(fire, run.from())) ? DECIDING : TICK;
    }

    /** What was started once has met its deadline: further attempts have none, nor has what runs again. */
    private void inTime(Execution run) {
        @Nullable Duration deadline = run.definition().startDeadline();
        if (deadline == null
                || run.row().attempt() > 1
                || run.row().started() == null
                || isAgain(run.row())
                || run.isOfBackfill()) {
            return;
        }
        Instant last = run.row().fire().plus(deadline);
        long late = run.from() - evidence.uptimeOf(last) - START_MILLIS;
        boolean quiet = evidence.injected().stream()
                .noneMatch(f -> f.touches(evidence.uptimeOf(run.row().fire()), run.from()));
        long stalled = evidence.stalls().within(evidence.uptimeOf(run.row().fire()), run.from());
        if (run.row().started().isAfter(last.plus(slack(run)).plusMillis(stalled))
                || (quiet && late > evidence.stalls().within(evidence.uptimeOf(last), run.from()))) {
            findings.add(Kind.LATE, "started after its startDeadline of " + deadline + ": " + run);
        }
    }

    private boolean isAgain(Ended row) {
        return row.isRerun() || broadcastAgain.contains(row.broadcast());
    }

    /** Where nothing lets it wait, an occurrence that is too late and is not to be made up for does not run. */
    private void notSkippedByMisfire(Execution run) {
        JobDefinition job = run.definition();
        @Nullable Instant started = run.row().started();
        if (!run.isFirst()
                || started == null
                || mayHaveFoundNoNode(run)
                || evidence.mayBeHeld(run.row(), evidence.uptimeOf(run.row().fire()), run.from())) {
            return;
        }
        List<JobDefinition> inForce =
                evidence.ledger().definitions(run.row().job(), run.row().fire(), started);
        if (Stream.concat(Stream.of(job), inForce.stream()).anyMatch(TimeChecks::mayWait)) {
            return;
        }
        Duration allowed = threshold(job).plus(job.jitter() == null ? Duration.ZERO : job.jitter());
        if (started.isAfter(run.row().fire().plus(allowed).plus(slack(run)))) {
            findings.add(Kind.LATE, "misfire SKIP, but it ran later than " + allowed + ": " + run);
        }
    }

    /** What has waited by policy, or was to be made up for, still runs when the job is changed then. */
    private static boolean mayWait(JobDefinition job) {
        return job.misfire() != Misfire.SKIP
                || job.overlap() == Overlap.QUEUE
                || job.overlap() == Overlap.REPLACE
                || job.group() != null
                || job.maxPerNode() != null
                || !job.nodes().isEmpty();
    }

    /** Where all that are there take no work, it waits for one that does. */
    private boolean mayHaveFoundNoNode(Execution run) {
        return evidence.sessions().stream()
                .map(SessionWatch.Presence::node)
                .distinct()
                .anyMatch(node -> evidence.conditions()
                        .mayBeDrained(node, evidence.uptimeOf(run.row().fire()), run.from()));
    }

    private static Duration threshold(JobDefinition job) {
        return job.misfireThreshold() == null ? ChaosNode.MISFIRE : job.misfireThreshold();
    }

    /** Pauses hold what the schedule asks for, and backfills. */
    private void notInPause(Execution run) {
        Instant started = run.row().started();
        if (!(run.row().isScheduled() || run.isOfBackfill()) || started == null) {
            return;
        }
        for (Version version : evidence.ledger().versions().get(run.row().job())) {
            if (version.paused()
                    && started.isAfter(version.from().plus(TICK))
                    && (version.until() == null
                            || started.isBefore(version.until().minus(TICK)))) {
                findings.add(
                        Kind.UNASKED,
                        "its job was paused from " + version.from() + " to " + version.until() + ": " + run);
            }
        }
    }

    private void runsAtMost(List<Execution> all) {
        Map<Long, List<Execution>> jobs = all.stream()
                .filter(Execution::isFirst)
                .collect(Collectors.groupingBy(e -> e.row().job()));
        jobs.values().forEach(runs -> {
            @Nullable Integer max = runs.get(0).definition().maxRuns();
            if (max != null && runs.size() > max) {
                findings.add(
                        Kind.UNASKED,
                        "maxRuns " + max + ", but there were " + runs.size() + ", at last "
                                + runs.get(runs.size() - 1));
            }
        });
    }

    /**
     * Nothing is given up before its time is over, or that of an earlier one which is given up with it; a node of a
     * broadcast that died is another matter.
     */
    private void isNotMissedAhead(Ended row) {
        if (!row.outcome().equals("MISSED") || !row.isScheduled()) {
            return;
        }
        JobDefinition job = evidence.ledger().versionOf(row).definition();
        Duration patience = threshold(job);
        if (job.startDeadline() != null && job.startDeadline().compareTo(patience) < 0) {
            patience = job.startDeadline();
        }
        Instant first = evidence.ledger().history().stream()
                .filter(other -> other.job() == row.job() && other.outcome().equals("MISSED"))
                .filter(other ->
                        Duration.between(other.ended(), row.ended()).abs().compareTo(SAME_MOMENT) < 0)
                .map(Ended::fire)
                .min(Comparator.naturalOrder())
                .orElseThrow();
        if (row.ended().isBefore(first.plus(patience))) {
            findings.add(Kind.AHEAD, "missed, though it had " + patience + " to start: " + row);
        }
    }
}
