package dev.rowlock.chaos;

import dev.rowlock.chaos.Asked.PauseOfMany;
import dev.rowlock.chaos.Evidence.Launch;
import dev.rowlock.chaos.Findings.Kind;
import dev.rowlock.chaos.Ledger.Ended;
import dev.rowlock.chaos.Ledger.Version;
import dev.rowlock.definition.JobDefinition;
import dev.rowlock.definition.Overlap;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Pauses that end together, at a fire time: all of the jobs go on then, and what is due at that moment runs, however
 * many of them there are.
 */
final class PauseChecks {

    private static final long ALLOWED_MILLIS = 5000;

    /** Times in the database are cut to milliseconds, uptime to hundredths of a second. */
    private static final long TICK_MILLIS = 50;

    /** What is due when the pause ends, at the earliest and at the latest. */
    private static final Duration AT_ITS_END = Duration.ofSeconds(1);

    private static final Set<Overlap> WAITS_FOR_OTHERS = Set.of(Overlap.QUEUE, Overlap.REPLACE);

    private final Evidence evidence;
    private final Findings findings;
    private final Map<String, Launch> launches;
    private int pauses;
    private int jobs;
    private int occurrences;

    PauseChecks(Evidence evidence, Findings findings) {
        this.evidence = evidence;
        this.findings = findings;
        this.launches = evidence.launches();
    }

    void check() {
        evidence.asked().pauses.forEach(this::endsForAll);
        findings.judged(evidence.asked().pauses.size() + " pauses of many jobs ended together, " + pauses
                + " of them with no fault near; " + jobs + " jobs and " + occurrences
                + " occurrences at their ends were judged");
    }

    private void endsForAll(PauseOfMany pause) {
        long until = evidence.uptimeOf(pause.until());
        if (pause.answered() >= until || !evidence.isQuiet(pause.from(), until + ALLOWED_MILLIS)) {
            return;
        }
        pauses++;
        evidence.ledger()
                .versions()
                .forEach((job, versions) -> versions.stream()
                        .filter(version -> isBy(pause, version))
                        .forEach(version -> {
                            jobs++;
                            goesOn(pause, version);
                            evidence.ledger().history().stream()
                                    .filter(row -> row.job() == job && isAtItsEnd(row, pause.until()))
                                    .forEach(row -> runs(row, pause.until()));
                        }));
    }

    /** Whether this pause made the version, and nobody ended it before its time. */
    private boolean isBy(PauseOfMany pause, Version version) {
        long from = evidence.uptimeOf(version.from());
        return version.paused()
                && from >= pause.from() - TICK_MILLIS
                && from <= pause.answered() + TICK_MILLIS
                && (version.until() == null || !version.until().isBefore(pause.until()));
    }

    private void goesOn(PauseOfMany pause, Version version) {
        Instant resumed = version.until() == null ? evidence.judgedUntil() : version.until();
        long until = evidence.uptimeOf(pause.until());
        long late = Duration.between(pause.until(), resumed).toMillis() - ALLOWED_MILLIS;
        if (late > evidence.stalls().within(until, evidence.uptimeOf(resumed))) {
            findings.add(
                    Kind.LATE,
                    version.key() + " was paused with others until " + pause.until() + ", and went on at "
                            + version.until());
        }
    }

    private static boolean isAtItsEnd(Ended row, Instant until) {
        return row.isScheduled()
                && row.attempt() == 1
                && row.fire().isBefore(until.plus(AT_ITS_END))
                && !row.lastFire().isBefore(until);
    }

    private void runs(Ended row, Instant until) {
        List<JobDefinition> inForce =
                evidence.ledger().definitions(row.job(), until, row.ended().plusMillis(1));
        long from = evidence.uptimeOf(row.fire());
        long ended = evidence.uptimeOf(row.ended());
        boolean hasNode = !evidence.takingWork(from, ended).isEmpty()
                && inForce.stream().allMatch(job -> job.nodes().isEmpty());
        if (!hasNode
                || inForce.stream().anyMatch(job -> job.startDeadline() != null)
                || evidence.mayBeHeld(row, from, ended)) {
            return;
        }
        occurrences++;
        if (row.outcome().equals("MISSED") || row.cause().equals("CATCH_UP")) {
            findings.add(Kind.LATE, "a misfire, though its pause with others ended at " + until + ": " + row);
        } else if (row.started() != null && inForce.stream().allMatch(PauseChecks::waitsForNothing)) {
            Launch launch = launches.get(String.valueOf(row.launch()));
            long started = launch == null ? evidence.uptimeOf(row.started()) : launch.fromUptime();
            long late = started - from - ALLOWED_MILLIS;
            if (late > evidence.stalls().within(from, started)) {
                findings.add(
                        Kind.LATE,
                        "started " + Texts.seconds(started - from) + " after the end of its pause with others: " + row);
            }
        }
    }

    private static boolean waitsForNothing(JobDefinition job) {
        return !WAITS_FOR_OTHERS.contains(job.overlap())
                && job.jitter() == null
                && job.group() == null
                && job.maxPerNode() == null
                && !job.broadcast();
    }
}
