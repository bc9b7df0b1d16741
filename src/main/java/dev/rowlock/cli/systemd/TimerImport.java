package dev.rowlock.cli.systemd;

import dev.rowlock.cli.imports.Draft;
import dev.rowlock.cli.imports.Imported;
import dev.rowlock.cli.imports.JobNames;
import dev.rowlock.cli.systemd.CalendarText.NotCron;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Timers as jobs: one for each time that a timer names. */
public final class TimerImport {

    /** For people: what is different for all timers. */
    public static final String HEAD =
            "On each host systemd runs these by itself; here each runs on one node, unless it says broadcast.";

    private static final Set<String> SINCE =
            Set.of("OnActiveSec", "OnBootSec", "OnStartupSec", "OnUnitActiveSec", "OnUnitInactiveSec");

    private static final Set<String> KNOWN =
            Set.of("OnCalendar", "RandomizedDelaySec", "FixedRandomDelay", "Persistent", "AccuracySec", "Unit");

    private final ZoneId zone;
    private final boolean ofUsers;
    private final boolean isShadow;
    private final JobNames names = new JobNames();

    /**
     * @param zone of the host
     * @param ofUsers whether they are those of a user's own systemd
     * @param isShadow whether the jobs are to run nothing
     */
    public TimerImport(ZoneId zone, boolean ofUsers, boolean isShadow) {
        this.zone = zone;
        this.ofUsers = ofUsers;
        this.isShadow = isShadow;
    }

    /** @param text as {@code systemctl cat} prints units */
    public List<Imported> read(String text) {
        Units units = Units.read(text);
        List<Imported> all = new ArrayList<>();
        units.timers().forEach(timer -> add(timer, units, all));
        return all;
    }

    private void add(Unit timer, Units units, List<Imported> to) {
        List<String> calendar = timer.all("Timer.OnCalendar");
        if (calendar.isEmpty()) {
            Draft draft = new Draft(timer.name());
            draft.lose("it counts from the start of a host or of a unit (" + since(timer) + ")"
                    + ", which a cluster has not; use a job with the schedule @every 15m or the like");
            to.add(draft.done(false));
            return;
        }
        for (String expression : calendar) {
            Draft draft = new Draft(timer.name() + ": OnCalendar=" + expression);
            draft.job().put("name", names.named(timer.name().replaceFirst("\\.timer$", ""), "timer"));
            if (calendar.size() > 1) {
                draft.remark(
                        "the timer has " + calendar.size() + " times, so it becomes as many jobs; to keep them from"
                                + " running at once, put them into a group with a limit of 1");
            }
            describe(timer, units, expression, draft);
            to.add(draft.done(isShadow));
        }
    }

    private void describe(Unit timer, Units units, String expression, Draft draft) {
        String description = timer.last("Unit.Description");
        if (description != null) {
            draft.job().put("description", description);
        }
        try {
            CalendarText calendar = CalendarText.parse(expression);
            draft.schedule(calendar.schedule(), calendar.zone() == null ? zone.getId() : calendar.zone());
        } catch (NotCron e) {
            draft.lose(String.valueOf(e.getMessage()));
        }
        timing(timer, draft);
        String named = timer.last("Timer.Unit");
        String name = named == null ? timer.name().replaceFirst("\\.timer$", ".service") : named;
        Unit service = units.find(name);
        if (service == null) {
            draft.lackCommand(name + " is not among what was read; systemctl cat '*.timer' '*.service' prints all");
        } else {
            new ServiceText(service, draft).addTo(ofUsers);
        }
    }

    private static void timing(Unit timer, Draft draft) {
        String delay = TimeSpan.of(timer.last("Timer.RandomizedDelaySec"));
        if (delay != null) {
            draft.job().put("jitter", delay);
            if (!timer.isTrue("Timer.FixedRandomDelay")) {
                draft.remark("RandomizedDelaySec becomes jitter: a delay of its own for each job, the same each time");
            }
        }
        draft.job().put("misfire", timer.isTrue("Timer.Persistent") ? "RUN_ONCE" : "SKIP");
        String accuracy = timer.last("Timer.AccuracySec");
        if (accuracy != null) {
            draft.remark("AccuracySec=" + accuracy + " is left out: a run starts at its fire time");
        }
        if (!since(timer).isEmpty()) {
            draft.remark("left out, as it counts from the start of a host or of a unit: " + since(timer));
        }
        Set<String> others = new TreeSet<>(timer.keys("Timer"));
        others.removeAll(KNOWN);
        others.removeAll(SINCE);
        if (!others.isEmpty()) {
            draft.remark("left out, as a job has no such thing: " + String.join(", ", others));
        }
    }

    private static String since(Unit timer) {
        Set<String> said = new TreeSet<>(timer.keys("Timer"));
        said.retainAll(SINCE);
        List<String> all = new ArrayList<>();
        said.forEach(key -> timer.all("Timer." + key).forEach(value -> all.add(key + "=" + value)));
        return String.join(", ", all);
    }
}
