package dev.rowlock.report.explain;

import dev.rowlock.definition.JobDefinition;
import dev.rowlock.definition.JobSchedule;
import dev.rowlock.definition.calendar.JobCalendars;
import dev.rowlock.job.store.JobLives.JobLife;
import dev.rowlock.report.explain.Explanation.PauseFacts;
import dev.rowlock.report.explain.Explanation.ScheduleFacts;
import dev.rowlock.report.explain.Explanation.Verdict;
import dev.rowlock.report.explain.Presence.PresenceGap;
import dev.rowlock.schedule.Schedule;
import dev.rowlock.task.Hold;
import dev.rowlock.task.rule.Jitter;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Answer about an instant without a task: the schedule does not have it, it has not come, or nothing is known. */
final class NothingRecorded {

    private final Evidence found;
    private final @Nullable ScheduleFacts schedule;
    private final @Nullable PauseFacts pause;
    private final Circumstances now;

    /**
     * Present circumstances that matter.
     *
     * @param runs how many occurrences were started, if that is limited
     * @param neighbours the fire times before and after
     * @param waiting the live task from which what follows it will be made
     * @param ahead what would keep it from running
     * @param gap since when no node is there; null: one is, or it is not known
     */
    record Circumstances(
            int runs,
            AdjacentFireTimes neighbours,
            Optional<Attempt> waiting,
            Blockers ahead,
            @Nullable PresenceGap gap) {}

    NothingRecorded(Evidence found, @Nullable ScheduleFacts schedule, Circumstances now) {
        this.found = found;
        this.schedule = schedule;
        this.pause = now.ahead().pause();
        this.now = now;
    }

    /** @param verdict in one word */
    record VerdictText(Verdict verdict, String text) {}

    VerdictText said() {
        if (found.inForce().isEmpty()) {
            return noVersion();
        }
        if (schedule == null) {
            return new VerdictText(
                    Verdict.NOT_KNOWN,
                    "This node does not understand the definition of " + found.key() + " that was in force at "
                            + Texts.time(found.at()) + ": ask a node of a newer version.");
        }
        if (!schedule.asksForIt()) {
            return notAskedFor(schedule);
        }
        return found.isAhead() ? toCome(schedule) : past(schedule);
    }

    private VerdictText noVersion() {
        @Nullable JobLife life = found.life();
        String at = Texts.time(found.at());
        if (life == null) {
            return new VerdictText(
                    Verdict.NOT_KNOWN,
                    "What " + found.key() + " was at " + at + " is not known: no version of it is kept.");
        }
        if (life.createdAt().equals(found.at())) {
            return new VerdictText(
                    Verdict.NO_JOB,
                    "There was no job " + found.key() + " before " + at + ": it was created at that moment.");
        }
        if (life.createdAt().isAfter(found.at())) {
            return new VerdictText(
                    Verdict.NO_JOB,
                    "There was no job " + found.key() + " at " + at + ": it was created at "
                            + Texts.time(life.createdAt()) + ".");
        }
        if (life.deletedAt() != null && life.deletedAt().isBefore(found.at())) {
            return new VerdictText(
                    Verdict.NO_JOB,
                    (found.isAhead()
                                    ? "There is no job " + found.key()
                                    : "There was no job " + found.key() + " at " + at)
                            + ": it was deleted at " + Texts.time(life.deletedAt()) + ".");
        }
        return new VerdictText(
                Verdict.NOT_KNOWN,
                "Which version of " + found.key() + " was in force at " + at + " is not known: it is not kept.");
    }

    private VerdictText notAskedFor(ScheduleFacts said) {
        if (found.inForce().flatMap(found::schedule).map(JobSchedule::isManual).orElse(false)) {
            return new VerdictText(
                    Verdict.NOT_ASKED_FOR,
                    found.key() + " runs only when somebody asks for it (@manual)"
                            + (found.isAhead() ? ": nothing is to run at " : ", and nobody asked for it at ")
                            + Texts.time(found.at()) + ".");
        }
        List<String> sentences = new ArrayList<>();
        if (!found.at().isBefore(found.now().truncatedTo(ChronoUnit.MILLIS))) {
            now.ahead().paused(found).ifPresent(sentences::add);
            frozen().ifPresent(sentences::add);
        }
        sentences.add("The schedule of " + found.key() + " (" + said.description() + ") does not ask for "
                + time(found.at(), said) + ".");
        sentences.addAll(closed());
        sentences.add(now.neighbours().text(said));
        if (said.clockChange() != null) {
            sentences.add(Texts.sentence(said.clockChange()));
        }
        return new VerdictText(Verdict.NOT_ASKED_FOR, String.join(" ", sentences));
    }

    /** Returns the freeze that holds what came due before. */
    private Optional<String> frozen() {
        return now.waiting()
                .map(Attempt::task)
                .filter(task -> Hold.FREEZE.name().equals(task.hold()))
                .map(task -> found.key() + " of " + Texts.time(task.fireTime()) + " is held (task " + task.id() + "): "
                        + task.holdReason() + ".");
    }

    /**
     * Returns which days are closed where: in the zone of each line that would have had the instant on an open day, or
     * if none would, in those of all.
     */
    private List<String> closed() {
        @Nullable JobDefinition job = found.definition().orElse(null);
        @Nullable JobCalendars calendars = job == null ? null : job.calendar();
        if (job == null || calendars == null) {
            return List.of();
        }
        @Nullable JobLife life = found.life();
        JobSchedule whole = JobSchedule.onClosedDaysToo(job, life == null ? found.at() : life.createdAt());
        List<Schedule> lines = whole.lines();
        boolean isInside = whole.lineAt(found.at()).isPresent();
        Set<String> sentences = new LinkedHashSet<>();
        for (int i = 0; i < lines.size(); i++) {
            if (!isInside || lines.get(i).matches(found.at())) {
                String line = isInside && lines.size() > 1 ? "line " + (i + 1) + " of " + lines.size() + ": " : "";
                calendars
                        .closed(found.at(), lines.get(i).zone())
                        .forEach(closed -> sentences.add(Texts.sentence(line + closed)));
            }
        }
        return List.copyOf(sentences);
    }

    private VerdictText toCome(ScheduleFacts said) {
        JobDefinition job = found.definition().orElseThrow();
        if (job.maxRuns() != null && runsUntilThen() > job.maxRuns()) {
            return new VerdictText(
                    Verdict.NOT_ASKED_FOR,
                    found.key() + " will not run at " + time(found.at(), said) + ": it will have reached its maxRuns ("
                            + job.maxRuns() + ") by then.");
        }
        Duration jitter = Jitter.offset(job);
        List<String> sentences = new ArrayList<>();
        now.ahead().paused(found).ifPresent(sentences::add);
        boolean runs = now.ahead().isOverBy(found.at());
        sentences.add((runs ? found.key() + " is to run at " : "Its schedule asks for ") + time(found.at(), said)
                + ", in " + Texts.ahead(found.now(), found.at()) + ": " + said.description()
                + (jitter.isZero() ? "" : "; due " + Texts.millis(jitter.toMillis()) + " later (jitter)")
                + (runs ? "" : "; that is skipped unless the job is resumed by then") + ".");
        sentences.addAll(now.ahead().sentences(found));
        if (said.clockChange() != null) {
            sentences.add(Texts.sentence(said.clockChange()));
        }
        return new VerdictText(Verdict.TO_COME, String.join(" ", sentences));
    }

    private long runsUntilThen() {
        return now.runs()
                + found.inForce()
                        .flatMap(found::schedule)
                        .map(it -> it.countBetween(found.now(), found.at()))
                        .orElse(0L);
    }

    private VerdictText past(ScheduleFacts said) {
        String asked =
                "The schedule of " + found.key() + " (" + said.description() + ") asked for " + time(found.at(), said);
        if (found.at().isBefore(found.clock().purged())) {
            return new VerdictText(
                    Verdict.NOT_KNOWN,
                    asked + ". What became of it is not known: history of what had ended before "
                            + Texts.time(found.clock().purged()) + " is purged.");
        }
        if (pause != null && pause.resumedAt() == null) {
            return new VerdictText(
                    Verdict.WAITING,
                    asked + ", but the job has been paused since " + Texts.time(pause.since()) + Blockers.reason(pause)
                            + ": it has not run, and will be recorded as SKIPPED when the job is resumed.");
        }
        if (now.waiting().isPresent()) {
            return new VerdictText(
                    Verdict.WAITING, asked + ". " + behind(now.waiting().get()));
        }
        @Nullable Integer most = found.definition().map(JobDefinition::maxRuns).orElse(null);
        if (most != null && now.runs() >= most) {
            return new VerdictText(
                    Verdict.NOT_ASKED_FOR, asked + ", but the job had reached its maxRuns (" + most + ").");
        }
        return new VerdictText(
                Verdict.NOT_KNOWN, asked + ". What became of it is not known: nothing is recorded of it.");
    }

    private String behind(Attempt waiting) {
        String why = waiting.task().holdReason() == null
                ? waiting.task().node() == null
                        ? "no node has taken it up" + Texts.nobody(now.gap())
                        : "node " + waiting.task().node() + " has prepared it"
                : waiting.task().holdReason();
        return "It is not decided yet, as task " + waiting.id() + " of "
                + Texts.time(waiting.task().fireTime()) + " comes first: " + why + ".";
    }

    private static String time(Instant t, ScheduleFacts said) {
        return Texts.time(t, ZoneId.of(said.zone()));
    }
}
