package dev.rowlock.chaos;

import dev.rowlock.chaos.DrawnFreeze.Span;
import dev.rowlock.chaos.Evidence.Launch;
import dev.rowlock.chaos.Findings.Kind;
import dev.rowlock.chaos.Ledger.Ended;
import dev.rowlock.chaos.Ledger.Version;
import dev.rowlock.definition.JobDefinition;
import dev.rowlock.definition.Overlap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Nothing that a freeze covers starts once its request is answered, and before its end. What came due under one that
 * skips does not run; of what came due under the others the latest of its job does, soon after the end, and nothing of
 * it is called a misfire.
 */
final class FreezeChecks {

    /** Times in the database are cut to milliseconds, uptime to hundredths of a second. */
    private static final long TICK_MILLIS = 50;

    /** From the decision to the command's first line, on a machine that is busy. */
    private static final long START_MILLIS = 3000;

    private static final long ALLOWED_MILLIS = 5000;
    private static final Set<Overlap> KEEP_SEVERAL = Set.of(Overlap.QUEUE, Overlap.ALLOW);
    private static final Pattern NAMED = Pattern.compile("freeze (\\d+) by ");

    private final Evidence evidence;
    private final Findings findings;
    private final Map<String, Launch> launches;
    private final Map<DrawnFreeze, Span> spans = new HashMap<>();
    private final Map<Long, List<Ended>> occurrences;
    private int starts;
    private int skipped;
    private int held;
    private int ends;
    private long worst;

    FreezeChecks(Evidence evidence, Findings findings) {
        this.evidence = evidence;
        this.findings = findings;
        this.launches = evidence.launches();
        evidence.asked().freezes.forEach(freeze -> spans.put(freeze, freeze.span(evidence)));
        this.occurrences = evidence.ledger().history().stream()
                .filter(row -> row.isScheduled() && row.attempt() == 1)
                .sorted(Comparator.comparing(Ended::fire))
                .collect(Collectors.groupingBy(Ended::job));
    }

    /** A stretch of time in which some freeze covered a job for certain, and until when one may have. */
    private record Stretch(long from, long until, long latest) {

        boolean has(long uptime) {
            return uptime > from + TICK_MILLIS && uptime < until - TICK_MILLIS;
        }
    }

    void check(List<Execution> all) {
        all.stream().filter(run -> run.row().isFreezable()).forEach(this::notUnderOne);
        evidence.ledger().history().forEach(this::isByOneThatWas);
        occurrences.values().forEach(this::ofJob);
        long skip = spans.keySet().stream().filter(DrawnFreeze::skips).count();
        findings.judged(spans.size() + " freezes, " + skip + " of them to skip; " + starts
                + " starts of what one covered were judged, " + skipped + " occurrences were skipped and " + held
                + " held; " + ends + " were to start at the end of one, the latest after " + Texts.seconds(worst));
    }

    private List<Map.Entry<DrawnFreeze, Span>> covering(Ended row) {
        Map<String, String> labels =
                evidence.ledger().versionOf(row).definition().labels();
        return spans.entrySet().stream()
                .filter(each -> each.getKey().covers(row.key(), labels))
                .toList();
    }

    private void notUnderOne(Execution run) {
        if (run.row().started() == null) {
            return;
        }
        long started = evidence.uptimeOf(run.row().started());
        covering(run.row()).forEach(each -> {
            Span span = each.getValue();
            if (evidence.wasClockWrong(Math.min(span.earliest(), started), Math.max(started, run.from()))) {
                return;
            }
            starts++;
            boolean quiet = evidence.isQuiet(started, run.from());
            long late = run.from() - span.from() - START_MILLIS;
            boolean byItsLog = span.isCertain(run.from(), TICK_MILLIS)
                    && quiet
                    && late > evidence.stalls().within(span.from(), run.from());
            if (span.isCertain(started, TICK_MILLIS) || byItsLog) {
                findings.add(
                        Kind.UNASKED,
                        "it started while it was frozen from " + span.from() + " until " + span.until() + " by "
                                + each.getKey() + ": " + run);
            }
        });
    }

    /** What says that a freeze was the reason names one that was there. */
    private void isByOneThatWas(Ended row) {
        if (!row.outcome().equals("SKIPPED") || row.reason() == null) {
            return;
        }
        Matcher named = NAMED.matcher(row.reason());
        if (!named.find()) {
            return;
        }
        long id = Long.parseLong(named.group(1));
        long from = evidence.uptimeOf(row.fire());
        long until = evidence.latestUptimeOf(row.ended());
        boolean known = covering(row).stream()
                .anyMatch(each -> (each.getKey().id() == id || each.getKey().id() == 0)
                        && each.getValue().mayHold(from - TICK_MILLIS, until + TICK_MILLIS));
        if (!known) {
            findings.add(Kind.WRONG_OUTCOME, "no such freeze covered it from its fire time to its end: " + row);
        }
    }

    private void ofJob(List<Ended> rows) {
        List<Map.Entry<DrawnFreeze, Span>> covering = covering(rows.get(0));
        if (covering.isEmpty()) {
            return;
        }
        List<Span> skips = covering.stream()
                .filter(each -> each.getKey().skips())
                .map(Map.Entry::getValue)
                .toList();
        rows.forEach(row -> isSkipped(row, skips));
        for (Stretch stretch : stretches(covering)) {
            List<Ended> due = rows.stream()
                    .filter(row -> stretch.has(evidence.uptimeOf(row.fire()))
                            && stretch.has(evidence.uptimeOf(row.lastFire())))
                    .filter(row -> skips.stream()
                            .noneMatch(span -> span.mayHold(
                                    evidence.uptimeOf(row.fire()) - TICK_MILLIS,
                                    evidence.uptimeOf(row.lastFire()) + TICK_MILLIS)))
                    .toList();
            if (!due.isEmpty() && !isUncertain(stretch, rows.get(0).job())) {
                held += due.size();
                due.forEach(row -> isNoMisfire(row, stretch));
                theLatestAlone(due, rows, stretch, skips);
                due.stream().filter(Ended::hasRun).forEach(row -> startsAtTheEnd(row, stretch));
            }
        }
    }

    private static List<Stretch> stretches(List<Map.Entry<DrawnFreeze, Span>> covering) {
        List<Span> certain = covering.stream()
                .map(Map.Entry::getValue)
                .filter(span -> span.from() < span.until())
                .sorted(Comparator.comparingLong(Span::from))
                .toList();
        List<Stretch> all = new ArrayList<>();
        for (Span span : certain) {
            Stretch last = all.isEmpty() ? null : all.get(all.size() - 1);
            if (last != null && span.from() <= last.until) {
                all.set(all.size() - 1, new Stretch(last.from, Math.max(last.until, span.until()), 0));
            } else {
                all.add(new Stretch(span.from(), span.until(), 0));
            }
        }
        return all.stream()
                .map(each -> new Stretch(each.from, each.until, latest(each.until, covering)))
                .toList();
    }

    /** Until when some freeze may have gone on after that moment. */
    private static long latest(long until, List<Map.Entry<DrawnFreeze, Span>> covering) {
        long latest = until;
        boolean more = true;
        while (more) {
            long now = latest;
            long next = covering.stream()
                    .map(Map.Entry::getValue)
                    .filter(span -> span.mayHold(now, now + TICK_MILLIS))
                    .mapToLong(Span::latest)
                    .max()
                    .orElse(now);
            more = next > latest;
            latest = Math.max(latest, next);
        }
        return latest;
    }

    /** Whether its due times are others than its fire times, or its clock was wrong. */
    private boolean isUncertain(Stretch stretch, long job) {
        return evidence.wasClockWrong(stretch.from, stretch.latest + ALLOWED_MILLIS)
                || inForce(stretch, job).stream().anyMatch(definition -> definition.jitter() != null);
    }

    private List<JobDefinition> inForce(Stretch stretch, long job) {
        return evidence.ledger()
                .definitions(job, evidence.timeOf(stretch.from), evidence.timeOf(stretch.latest + ALLOWED_MILLIS));
    }

    private void isSkipped(Ended row, List<Span> skips) {
        long fire = evidence.uptimeOf(row.fire());
        boolean certain = skips.stream().anyMatch(span -> span.isCertain(fire, TICK_MILLIS));
        if (!certain || evidence.ledger().versionOf(row).definition().jitter() != null) {
            return;
        }
        skipped++;
        if (row.hasRun() && !evidence.wasClockWrong(fire, evidence.uptimeOf(row.ended()))) {
            findings.add(Kind.WRONG_OUTCOME, "it came due under a freeze that skips, and ran: " + row);
        }
    }

    /** Unless its deadline is over, however late it is decided. */
    private void isNoMisfire(Ended row, Stretch stretch) {
        boolean hasDeadline = evidence
                .ledger()
                .definitions(row.job(), row.fire(), row.ended().plusMillis(1))
                .stream()
                .anyMatch(job -> job.startDeadline() != null);
        if (!evidence.isQuiet(stretch.from, evidence.uptimeOf(row.ended()))) {
            return;
        }
        if (row.cause().equals("CATCH_UP") || (row.outcome().equals("MISSED") && !hasDeadline)) {
            findings.add(
                    Kind.WRONG_OUTCOME,
                    "called a misfire, though it was frozen from " + stretch.from + " until " + stretch.until + ": "
                            + row);
        }
    }

    private void theLatestAlone(List<Ended> due, List<Ended> rows, Stretch stretch, List<Span> skips) {
        List<JobDefinition> inForce = inForce(stretch, due.get(0).job());
        if (inForce.stream().anyMatch(job -> KEEP_SEVERAL.contains(job.overlap()) || job.maxRuns() != null)
                || isPausedOrDeleted(due.get(0).job(), stretch)) {
            return;
        }
        aloneAndLast(due, stretch);
        long latest = stretch.latest + TICK_MILLIS;
        List<Ended> inIt = rows.stream()
                .filter(row -> evidence.uptimeOf(row.fire()) > stretch.from + TICK_MILLIS
                        && evidence.uptimeOf(row.fire()) <= latest)
                .toList();
        boolean noneSkips = skips.stream().noneMatch(span -> span.mayHold(stretch.from, latest));
        if (noneSkips && inIt.stream().allMatch(FreezeChecks::isForFreeze)) {
            findings.add(
                    Kind.LOST,
                    "a freeze held occurrences from " + stretch.from + " until " + stretch.until
                            + " or later, and none of them ran: " + inIt);
        }
    }

    /** As far as a node could decide it while the freeze was in force: what was due shortly before the end may start. */
    private void aloneAndLast(List<Ended> due, Stretch stretch) {
        if (!evidence.isQuiet(stretch.from, stretch.latest + ALLOWED_MILLIS)) {
            return;
        }
        List<Ended> decided = due.stream()
                .filter(row -> evidence.uptimeOf(row.fire()) < stretch.until - ALLOWED_MILLIS)
                .toList();
        List<Ended> run = decided.stream().filter(Ended::hasRun).toList();
        if (run.size() > 1) {
            findings.add(Kind.DOUBLED, "of what a freeze held, more than the latest ran, " + stretch + ": " + run);
        }
        run.stream()
                .flatMap(one -> decided.stream()
                        .filter(later -> later.fire().isAfter(one.fire())
                                && later.version() == one.version()
                                && !later.outcome().equals("CANCELLED"))
                        .limit(1)
                        .map(later -> "a freeze held " + later + ", but an earlier one ran, " + stretch + ": " + one))
                .forEach(what -> findings.add(Kind.DISORDERED, what));
    }

    private static boolean isForFreeze(Ended row) {
        return row.outcome().equals("SKIPPED")
                && row.reason() != null
                && NAMED.matcher(row.reason()).find();
    }

    private boolean isPausedOrDeleted(long job, Stretch stretch) {
        return evidence.ledger().versions().get(job).stream()
                .filter(version -> version.paused() || version.until() == null || isLast(version))
                .anyMatch(version -> version.paused()
                        ? evidence.uptimeOf(version.from()) <= stretch.latest + ALLOWED_MILLIS
                                && (version.until() == null || evidence.uptimeOf(version.until()) >= stretch.from)
                        : version.until() != null
                                && evidence.uptimeOf(version.until()) <= stretch.latest + ALLOWED_MILLIS);
    }

    private boolean isLast(Version version) {
        List<Version> own = evidence.ledger().versions().get(version.job());
        return own.get(own.size() - 1).equals(version);
    }

    /** If nothing else lets it wait, and the end is known well enough. */
    private void startsAtTheEnd(Ended row, Stretch stretch) {
        Launch launch = launches.get(String.valueOf(row.launch()));
        if (launch == null || stretch.latest - stretch.until > ALLOWED_MILLIS) {
            return;
        }
        long started = launch.fromUptime();
        List<JobDefinition> inForce = inForce(stretch, row.job());
        if (!evidence.isQuiet(stretch.until, started)
                || !evidence.wasRoom(stretch.until, started)
                || evidence.wasPaused(row)
                || inForce.stream()
                        .anyMatch(job ->
                                !SlotChecks.waitsForNothing(job) || !job.nodes().isEmpty())) {
            return;
        }
        ends++;
        worst = Math.max(worst, started - stretch.latest);
        if (started - stretch.latest - ALLOWED_MILLIS > evidence.stalls().within(stretch.until, started)) {
            findings.add(
                    Kind.LATE,
                    "held by a freeze until " + stretch.latest + " at the latest, it started "
                            + Texts.seconds(started - stretch.latest) + " later: " + row);
        }
    }
}
