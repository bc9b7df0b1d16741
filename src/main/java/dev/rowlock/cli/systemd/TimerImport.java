package dev.rowlock.cli.systemd;

import dev.rowlock.cli.imports.Draft;
import dev.rowlock.cli.imports.ImportText;
import dev.rowlock.cli.systemd.CalendarText.NotCron;
import dev.rowlock.schedule.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Timers as jobs: one for each, with a schedule for each time that it names.
 *
 * @param zone of the host
 * @param ofUsers whether they are those of a user's own systemd
 * @param disabled the timers that are known not to be enabled
 */
public record TimerImport(String zone, boolean ofUsers, Set<String> disabled) {

    /** Text for people about the differences that all timers have. */
    public static final String HEAD =
            "On each host systemd runs these by itself; here each runs on one node, unless it says broadcast.\n"
                    + "A run whose node died starts again on another (onLost: RERUN); systemd starts it no more:"
                    + " onLost: FAIL in defaults is as\n"
                    + "there. What a command leaves in the background is killed when it ends.";

    private static final Set<String> SINCE =
            Set.of("OnActiveSec", "OnBootSec", "OnStartupSec", "OnUnitActiveSec", "OnUnitInactiveSec");
    private static final List<String> AGAIN = List.of("OnUnitActiveSec", "OnUnitInactiveSec");

    private static final Set<String> CARRIED = Set.of(
            "Timer.OnCalendar",
            "Timer.OnActiveSec",
            "Timer.OnBootSec",
            "Timer.OnStartupSec",
            "Timer.OnUnitActiveSec",
            "Timer.OnUnitInactiveSec",
            "Timer.RandomizedDelaySec",
            "Timer.FixedRandomDelay",
            "Timer.Persistent",
            "Timer.AccuracySec",
            "Timer.Unit");

    /** @param text as {@code systemctl cat} prints units */
    public void read(String text, ImportText to) {
        Units units = Units.read(text, ofUsers);
        units.timers().forEach(timer -> add(timer, units, to));
        if (units.isLeft()) {
            to.say(List.of("a timer without a name is passed over: give files, or what systemctl cat prints, with the"
                    + " path in front of each unit"));
        }
    }

    private void add(Unit timer, Units units, ImportText to) {
        if (timer.name().endsWith("@.timer")) {
            if (!units.hasInstance(timer)) {
                Draft draft = new Draft(timer.name());
                draft.lose("it is a template, and which instances it has is not known here: for each that systemctl"
                        + " list-timers shows, copy it to a file such as "
                        + timer.name().replace("@.", "@main.") + ", or put that path above it");
                to.add(draft);
            }
            return;
        }
        List<String> calendar =
                timer.all("Timer.OnCalendar").stream().distinct().toList();
        String every = calendar.isEmpty() ? every(timer) : null;
        if (calendar.isEmpty() && every == null) {
            Draft draft = new Draft(timer.name());
            draft.lose("it counts from the start of a host or of a unit (" + since(timer) + ")"
                    + ", which a cluster has not; use a job with the schedule @every 15m or the like");
            to.add(draft);
            return;
        }
        for (String expression : every == null ? calendar : List.of(every)) {
            Draft draft = new Draft(timer.name() + ": " + (every == null ? "OnCalendar=" + expression : since(timer)));
            to.names().named(draft, timer.name().replaceFirst("\\.timer$", ""), "timer");
            draft.isPart(timer.name());
            describe(timer, units, expression, draft);
            to.add(draft);
        }
    }

    /** Returns the schedule of a timer that starts its unit again and again; null if it does not. */
    private static @Nullable String every(Unit timer) {
        for (String key : AGAIN) {
            String span = timer.last("Timer." + key);
            Duration period = span == null ? null : TimeSpan.parse(span);
            if (period != null && period.toSeconds() >= 1) {
                return "@every " + Durations.format(Duration.ofSeconds(period.toSeconds()));
            }
        }
        return null;
    }

    private void describe(Unit timer, Units units, String expression, Draft draft) {
        String description = timer.last("Unit.Description");
        if (description != null) {
            draft.job().put("description", description);
        }
        if (expression.startsWith("@every")) {
            draft.schedule(expression, null);
            draft.remark("counts from fire time to fire time, and not from the start of a host or the end of a run");
        } else {
            calendar(expression, draft);
        }
        timing(timer, !expression.startsWith("@every"), draft);
        UnitKeys.say(timer, CARRIED, draft);
        String named = timer.last("Timer.Unit");
        String name = named == null ? timer.name().replaceFirst("\\.timer$", ".service") : named;
        Unit service = units.find(name);
        if (service == null) {
            draft.lackCommand(name + " is not among what was read; systemctl cat '*.timer' '*.service' prints all");
        } else {
            new ServiceText(service, draft).addTo(ofUsers);
        }
        if (disabled.contains(timer.name())) {
            draft.job().put("paused", true);
            draft.remark("paused, as the timer is not enabled on this machine");
        }
    }

    private void calendar(String expression, Draft draft) {
        try {
            CalendarText calendar = CalendarText.parse(expression);
            draft.schedule(calendar.schedule(), calendar.zone() == null ? zone : calendar.zone());
        } catch (NotCron e) {
            draft.lose(String.valueOf(e.getMessage()));
        }
    }

    private static void timing(Unit timer, boolean isCalendar, Draft draft) {
        String said = timer.last("Timer.RandomizedDelaySec");
        Duration delay = said == null ? null : TimeSpan.parse(said);
        if (said != null && (delay == null || delay.toMillis() < 1000) && !said.equals("0")) {
            draft.remark("left out: RandomizedDelaySec=" + said + ", as jitter is a second at least");
        } else if (delay != null && !delay.isZero()) {
            draft.job().put("jitter", Durations.format(delay));
            if (!timer.isTrue("Timer.FixedRandomDelay")) {
                draft.remark("RandomizedDelaySec becomes jitter: a delay of its own for each job, the same each time");
            }
        }
        boolean isMadeUp = isCalendar && timer.isTrue("Timer.Persistent"); // which holds for OnCalendar alone
        draft.job().put("misfire", isMadeUp ? "RUN_ONCE" : "SKIP");
        String accuracy = timer.last("Timer.AccuracySec");
        if (accuracy != null) {
            draft.remark("AccuracySec=" + accuracy + " is left out: a run starts at its fire time");
        }
        if (isCalendar && !since(timer).isEmpty()) {
            draft.remark("left out, as it counts from the start of a host or of a unit: " + since(timer));
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
