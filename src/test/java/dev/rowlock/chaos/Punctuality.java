package dev.rowlock.chaos;

import static java.util.Map.entry;

import dev.rowlock.chaos.Evidence.Launch;
import dev.rowlock.chaos.Findings.Kind;
import dev.rowlock.chaos.Ledger.Ended;
import dev.rowlock.definition.JobDefinition;
import dev.rowlock.definition.Overlap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Faults that may cost the jobs of others only so much: what was due meanwhile was started, or settled otherwise,
 * within the bound. A fault is judged by it alone, so one that another comes near to is left out; how many were judged
 * is told.
 */
final class Punctuality {

    /** Counted from {@link Injected#goodFrom}: the beginning, the end, or when a group of servers took writes again. */
    static final Map<FaultKind, Duration> ALLOWED = Map.ofEntries(
            // The server lets go of what a silent connection holds after 3 s; the rest is for who then finds it free.
            entry(FaultKind.FREEZE_IN_REQUEST, Duration.ofSeconds(7)),
            entry(FaultKind.HUNG_DIRECTORY, Duration.ofSeconds(4)),
            entry(FaultKind.SERVER_ERRORS, Duration.ofSeconds(7)),
            entry(FaultKind.DATABASE_CLOCK, Duration.ofSeconds(8)),
            entry(FaultKind.PRIMARY_KILL, Duration.ofSeconds(2)),
            entry(FaultKind.PRIMARY_SWITCH, Duration.ofSeconds(2)),
            entry(FaultKind.PRIMARY_FREEZE, Duration.ofSeconds(4)),
            entry(FaultKind.MEMBER_KILL, Duration.ofSeconds(2)),
            entry(FaultKind.MEMBER_FREEZE, Duration.ofSeconds(2)),
            entry(FaultKind.MEMBER_CUT, Duration.ofSeconds(2)),
            entry(FaultKind.MEMBER_LEAVE, Duration.ofSeconds(2)));

    /** As long before a fault, and after its bound, no other may be near. */
    private static final long QUIET_MILLIS = Lateness.AFTERMATH_MILLIS;

    private static final Set<Overlap> WAITS_FOR_OTHERS = Set.of(Overlap.QUEUE, Overlap.REPLACE);

    private final Evidence evidence;
    private final Findings findings;
    private final Map<String, Launch> launches;

    Punctuality(Evidence evidence, Findings findings) {
        this.evidence = evidence;
        this.findings = findings;
        this.launches = evidence.launches();
    }

    /** Adds a violation for what came too late; a line for each kind that was judged. */
    List<String> check() {
        List<String> lines = new ArrayList<>();
        List<Ended> rows = evidence.ledger().history().stream()
                .filter(this::isBound)
                .sorted(Comparator.comparing(Ended::fire))
                .toList();
        for (FaultKind kind : FaultKind.values()) {
            if (ALLOWED.containsKey(kind)) {
                List<Injected> own = evidence.injected().stream()
                        .filter(f -> f.kind() == kind && f.skipped() == null && f.goodFrom() >= 0)
                        .toList();
                List<Injected> alone = own.stream().filter(this::isAlone).toList();
                long worst = alone.stream().mapToLong(f -> judge(f, rows)).max().orElse(0);
                if (!own.isEmpty()) {
                    lines.add(String.format(
                            Locale.ROOT,
                            "  %-22s %3d of %3d faults stood alone; allowed %5d ms, worst %6d ms",
                            kind,
                            alone.size(),
                            own.size(),
                            allowedMillis(kind),
                            worst));
                }
            }
        }
        return lines;
    }

    private static long allowedMillis(FaultKind kind) {
        return ALLOWED.get(kind).toMillis();
    }

    private boolean isAlone(Injected fault) {
        return evidence.injected().stream()
                .noneMatch(f -> !f.equals(fault)
                        && f.touches(
                                fault.fromMillis() - QUIET_MILLIS,
                                Math.max(fault.untilMillis(), fault.goodFrom()) + allowedMillis(fault.kind())));
    }

    /** What runs as soon as its time has come, unless it must wait for a run of its own job. */
    private boolean isBound(Ended row) {
        if (!row.isScheduled() || row.attempt() > 1 || row.outcome().equals("CANCELLED")) {
            return false;
        }
        JobDefinition definition = evidence.ledger().versionOf(row).definition();
        return !WAITS_FOR_OTHERS.contains(definition.overlap())
                && definition.jitter() == null
                && definition.group() == null
                && definition.maxPerNode() == null
                && definition.nodes().isEmpty()
                && !row.key().contains(HungDirectory.JOBS)
                && !evidence.wasPaused(row)
                && !evidence.mayBeHeld(row, evidence.uptimeOf(row.fire()), settled(row));
    }

    /** The longest delay, in milliseconds. */
    private long judge(Injected fault, List<Ended> rows) {
        long until = Math.max(fault.untilMillis(), fault.goodFrom()) + 1000;
        fault.complaints().forEach(c -> findings.add(Kind.LATE, c + ", which '" + fault.what() + "' does not excuse"));
        long worst = 0;
        for (Ended row : rows) {
            long fire = evidence.uptimeOf(row.fire());
            if (fire < fault.fromMillis() || fire > until) {
                continue;
            }
            long settled = settled(row);
            long due = Math.max(fire, fault.goodFrom());
            if (!evidence.wasRoom(fire, settled)) {
                continue;
            }
            worst = Math.max(worst, settled - due);
            long late = settled - due - allowedMillis(fault.kind());
            if (late > 0 && late > evidence.stalls().within(due, settled)) {
                findings.add(
                        Kind.LATE,
                        Texts.seconds(settled - due) + " after it was due, of which " + Texts.seconds(late)
                                + " are more than '" + fault.what() + "' (uptime " + fault.fromMillis() + " to "
                                + fault.untilMillis() + ", good from " + fault.goodFrom() + ") excuses: " + row);
            }
        }
        return worst;
    }

    private long settled(Ended row) {
        Launch launch = row.launch() == null ? null : launches.get(row.launch());
        return launch != null
                ? launch.fromUptime()
                : evidence.uptimeOf(row.started() == null ? row.ended() : row.started());
    }
}
