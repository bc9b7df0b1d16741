package dev.rowlock.chaos;

import dev.rowlock.chaos.Evidence.Launch;
import dev.rowlock.chaos.Findings.Kind;
import dev.rowlock.chaos.Ledger.Ended;
import dev.rowlock.chaos.Ledger.Version;
import dev.rowlock.chaos.Timeline.Certain;
import dev.rowlock.definition.JobDefinition;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Once a change of a calendar is answered, jobs go by it: nothing fires at a time that it does not ask for, and nothing
 * is late that it newly asks for.
 */
final class CalendarChecks {

    /** Times in the database are cut to milliseconds, uptime to hundredths of a second. */
    private static final long TICK_MILLIS = 50;

    private static final long NEXT_MILLIS = 60_000;
    private static final long ALLOWED_MILLIS = 5000;

    private final Evidence evidence;
    private final Findings findings;
    private final Map<String, Launch> launches;
    private int followed;
    private int judged;
    private long worst;

    CalendarChecks(Evidence evidence, Findings findings) {
        this.evidence = evidence;
        this.findings = findings;
        this.launches = evidence.launches();
    }

    void check(List<Execution> all) {
        evidence.ledger().versions().values().forEach(versions -> versions.forEach(this::goesByWhatIsInForce));
        long fired =
                all.stream().filter(Execution::isFirst).filter(this::isAskedFor).count();
        for (String name : CalendarDraw.NAMES) {
            List<Certain<DrawnCalendar>> inForce =
                    evidence.conditions().calendar(name).certain();
            for (int i = 1; i < inForce.size(); i++) {
                newlyAskedFor(name, inForce.get(i - 1).value(), inForce.get(i));
            }
        }
        findings.judged(followed + " versions of jobs went by a calendar for certain, " + fired + " runs with them; "
                + judged + " occurrences that a change newly asked for were judged, the latest started after "
                + Texts.seconds(worst));
    }

    private void goesByWhatIsInForce(Version version) {
        long from = evidence.uptimeOf(version.from()) + TICK_MILLIS;
        long until = version.until() == null
                ? evidence.uptimeOf(evidence.judgedUntil())
                : evidence.uptimeOf(version.until()) - TICK_MILLIS;
        version.schedule().calendars().forEach((name, pinned) -> {
            for (Certain<DrawnCalendar> certain :
                    evidence.conditions().calendar(name).certain()) {
                boolean both = Math.max(from, certain.from()) < Math.min(until, certain.until());
                followed += both ? 1 : 0;
                if (both && !certain.value().equals(pinned)) {
                    findings.add(
                            Kind.UNASKED,
                            "version " + version.number() + " of " + version.key() + " (job " + version.job()
                                    + "), in force from " + version.from() + " until " + version.until()
                                    + ", goes by " + name + " as " + pinned + ", though it was answered to be "
                                    + certain);
                }
            }
        });
    }

    /** False: it has no calendar, or one that was being changed then. */
    private boolean isAskedFor(Execution run) {
        DrawnSchedule schedule = evidence.ledger().versionOf(run.row()).schedule();
        long fire = evidence.uptimeOf(run.row().fire());
        Map<String, DrawnCalendar> then = new TreeMap<>();
        schedule.calendars().keySet().forEach(name -> {
            Set<DrawnCalendar> possible =
                    evidence.conditions().calendar(name).possible(fire - TICK_MILLIS, fire + TICK_MILLIS);
            if (possible.size() == 1) {
                then.put(name, possible.iterator().next());
            }
        });
        if (then.isEmpty() || then.size() < schedule.calendars().size()) {
            return false;
        }
        if (!schedule.by(then).matches(run.row().fire())
                && !evidence.takenBack().contains(run.row().id())) {
            findings.add(Kind.UNASKED, "the calendars " + then + " do not ask for it: " + run);
        }
        return true;
    }

    private void newlyAskedFor(String name, DrawnCalendar before, Certain<DrawnCalendar> change) {
        Instant from = evidence.timeOf(change.from());
        Instant until = evidence.timeOf(Math.min(change.until(), change.from() + NEXT_MILLIS));
        for (Ended row : evidence.ledger().history()) {
            if (row.isScheduled()
                    && row.attempt() == 1
                    && row.fire().isAfter(from)
                    && row.fire().isBefore(until)
                    && isNew(row, name, before)) {
                isInTime(row);
            }
        }
    }

    private boolean isNew(Ended row, String name, DrawnCalendar before) {
        DrawnSchedule schedule = evidence.ledger().versionOf(row).schedule();
        if (!schedule.calendars().containsKey(name)) {
            return false;
        }
        Map<String, DrawnCalendar> then = new TreeMap<>(schedule.calendars());
        then.put(name, before);
        return !schedule.by(then).matches(row.fire());
    }

    private void isInTime(Ended row) {
        long fire = evidence.uptimeOf(row.fire());
        Launch launch = launches.get(String.valueOf(row.launch()));
        long settled = launch != null
                ? launch.fromUptime()
                : evidence.uptimeOf(row.started() == null ? row.ended() : row.started());
        List<JobDefinition> inForce =
                evidence.ledger().definitions(row.job(), row.fire(), row.ended().plusMillis(1));
        if (row.outcome().equals("CANCELLED")
                || !evidence.isQuiet(fire, settled)
                || !evidence.wasRoom(fire, settled)
                || evidence.mayBeHeld(row, fire, settled)
                || !inForce.stream()
                        .allMatch(job ->
                                SlotChecks.waitsForNothing(job) && job.nodes().isEmpty())
                || evidence.wasPaused(row)) {
            return;
        }
        judged++;
        worst = Math.max(worst, settled - fire);
        if (settled - fire - ALLOWED_MILLIS > evidence.stalls().within(fire, settled)) {
            findings.add(
                    Kind.LATE,
                    "a calendar that was changed newly asks for it, and it was " + Texts.seconds(settled - fire)
                            + " late: " + row);
        }
    }
}
