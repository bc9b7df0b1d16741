package dev.rowlock.report.explain;

import dev.rowlock.report.explain.Explanation.Lateness;
import dev.rowlock.report.explain.Explanation.ScheduleFacts;
import dev.rowlock.report.explain.Explanation.Verdict;
import dev.rowlock.report.explain.NothingRecorded.VerdictText;
import dev.rowlock.report.explain.Presence.PresenceGap;
import dev.rowlock.task.Hold;
import dev.rowlock.task.TaskView;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Summary of a task in a few sentences. */
final class Summary {

    private static final int NAMED = 10;

    private final Evidence found;
    private final Attempt main;
    private final TaskView task;
    private final @Nullable Lateness lateness;
    private final @Nullable PresenceGap gap;

    /**
     * @param lateness null: it was not started, or how late is not asked
     * @param gap since when no node is there; null: one is, or it is not known
     */
    Summary(Evidence found, Attempt main, @Nullable Lateness lateness, @Nullable PresenceGap gap) {
        this.gap = gap;
        this.found = found;
        this.main = main;
        this.task = main.task();
        this.lateness = lateness;
    }

    Verdict verdict() {
        if (task.isEnded()) {
            return task.startedAt() != null || main.isExpanded() ? Verdict.RAN : Verdict.DID_NOT_RUN;
        }
        if (task.isExecuting()) {
            return Verdict.EXECUTING;
        }
        boolean isDue = task.dueAt() != null && !task.dueAt().isAfter(found.now());
        return task.hold() != null || isDue ? Verdict.WAITING : Verdict.TO_COME;
    }

    /**
     * @param ahead what would keep it from running, if its time has not come
     * @param more what else there is to say
     */
    VerdictText said(@Nullable ScheduleFacts schedule, Blockers ahead, String more) {
        StringBuilder text = new StringBuilder();
        if (!task.isEnded() && !task.isExecuting() && main.origin().isSchedule()) {
            ahead.paused(found).ifPresent(sentence -> text.append(sentence).append(' '));
        }
        text.append(text());
        if (verdict() == Verdict.TO_COME && task.hold() == null) {
            ahead.sentences(found).forEach(sentence -> text.append(' ').append(sentence));
        }
        if (verdict() == Verdict.WAITING && Hold.GROUP.name().equals(task.hold())) {
            ahead.groupNow().ifPresent(sentence -> text.append(' ').append(sentence));
        }
        if (schedule != null && schedule.clockChange() != null && main.origin().isSchedule()) {
            text.append(' ').append(Texts.sentence(schedule.clockChange()));
        }
        return new VerdictText(verdict(), text + more);
    }

    String text() {
        List<String> sentences = new ArrayList<>();
        sentences.add(
                switch (verdict()) {
                    case RAN -> main.isExpanded() ? expanded() : ran();
                    case EXECUTING ->
                        what() + " is executing on node " + task.node() + ", " + started() + "." + replaced();
                    case DID_NOT_RUN -> what() + " did not run: " + TaskTimeline.outcome(task) + ".";
                    case WAITING -> waiting();
                    default -> what() + " is still to come" + prepared() + due() + ".";
                });
        waited().ifPresent(sentences::add);
        takenOver().ifPresent(sentences::add);
        if (found.requesters().end() != null) {
            sentences.add(found.requesters().end() + " asked for its end.");
        }
        earlier().ifPresent(sentences::add);
        return String.join(" ", sentences);
    }

    /** Names the job and its occurrence. */
    private String what() {
        String attempt = task.attempt() > 1 ? ", attempt " + task.attempt() + " (" + task.cause() + ")" : "";
        String part = main.isPart() ? " on node " + main.origin().node() : "";
        String asked = main.origin().isRun()
                ? " (asked for by "
                        + Objects.requireNonNullElse(found.requesters().run(), "somebody") + ")"
                : main.origin().isBackfill() ? " (by backfill " + main.origin().backfill() + ")" : "";
        String late = task.cause().equals("CATCH_UP") ? " (CATCH_UP: it was missed, and runs nevertheless)" : "";
        Instant of = task.occurrences() > 1 && !found.at().isAfter(task.lastFireTime()) ? found.at() : task.fireTime();
        return found.key() + " of " + Texts.time(of, zone()) + part + asked + attempt + late;
    }

    private ZoneId zone() {
        return found.version()
                .flatMap(found::schedule)
                .map(schedule -> schedule.zoneAt(found.at()))
                .orElse(ZoneOffset.UTC);
    }

    private String ran() {
        @Nullable Instant ended = task.endedAt();
        @Nullable Instant begun = task.startedAt();
        @Nullable Long duration = task.durationMs();
        String took = duration != null
                ? " after " + Texts.millis(duration)
                : ended == null || begun == null ? "" : " after " + Texts.between(begun, ended);
        return what() + " ran on node " + (task.node() == null ? "(not known)" : task.node()) + ", " + started()
                + ", and ended" + took + ": " + TaskTimeline.outcome(task) + ".";
    }

    private String expanded() {
        String parts = found.parts().stream()
                .limit(NAMED)
                .map(part -> part.origin().node() + " "
                        + (part.task().isEnded()
                                ? part.task().outcome()
                                : part.task().state()))
                .collect(Collectors.joining(", "));
        int more = found.parts().size() - NAMED;
        return what() + " ran on all its nodes: " + TaskTimeline.outcome(task) + "."
                + (parts.isEmpty() ? "" : " Of these: " + parts + (more > 0 ? " and " + more + " more" : "") + ".");
    }

    private String started() {
        if (main.origin().isOfThePast() && task.startedAt() != null) {
            return "started at " + Texts.time(task.startedAt(), zone());
        }
        if (lateness == null || lateness.totalMs() < LatenessParts.NOTABLE) {
            return "started on time";
        }
        List<String> parts = new ArrayList<>();
        add(parts, lateness.holdMs(), "held by its policy");
        add(parts, lateness.nobodyMs(), "with no node in contact with the database");
        add(parts, lateness.slotMs(), "for a free slot");
        add(parts, lateness.takeoverMs(), "until another node took it over");
        add(parts, lateness.otherMs(), "on the node, for no known reason");
        return "started " + Texts.millis(lateness.totalMs()) + " late (" + String.join(", ", parts) + ")";
    }

    private static void add(List<String> parts, long millis, String what) {
        if (millis >= LatenessParts.NOTABLE) {
            parts.add(Texts.millis(millis) + " " + what);
        }
    }

    private String replaced() {
        return task.replacedBy() == null ? "" : " It is to be killed for task " + task.replacedBy() + ".";
    }

    private String waiting() {
        if (task.hold() == null) {
            return what() + (task.dueAt() == null ? " is due" : " has been due since " + Texts.time(task.dueAt()))
                    + " and has not been started" + prepared() + Texts.nobody(gap) + ".";
        }
        String waits =
                task.queuedAt() == null ? " is waiting" : " has been waiting since " + Texts.time(task.queuedAt());
        String why = task.holdReason() == null ? "what for is not known" : task.holdReason();
        return what() + waits + " (" + task.hold() + "): " + why + ".";
    }

    private String prepared() {
        return task.node() == null ? "" : "; node " + task.node() + " has prepared it";
    }

    private String due() {
        return task.dueAt() == null || task.dueAt().equals(task.fireTime())
                ? ""
                : "; it is due at " + Texts.time(task.dueAt());
    }

    private Optional<String> waited() {
        boolean isOver = task.hold() == null && task.queuedAt() != null;
        return isOver && task.startedAt() != null
                ? Optional.of("It had to wait: "
                        + (main.waitedFor() == null ? "what for is not known" : main.waitedFor()) + ".")
                : Optional.empty();
    }

    private Optional<String> takenOver() {
        return main.wasTakenOver()
                ? Optional.of("It was taken over from "
                        + (main.preparedBy() == null ? "a node that was gone" : "node " + main.preparedBy()) + ".")
                : Optional.empty();
    }

    private Optional<String> earlier() {
        Stream<String> others = found.otherOrigins().stream()
                .filter(other -> other.id() < main.id())
                .map(other -> "task " + other.id()
                        + (other.origin().isBackfill()
                                ? " of backfill " + other.origin().backfill()
                                : "") + " "
                        + (other.task().isEnded()
                                ? TaskTimeline.outcome(other.task())
                                : other.task().state()));
        Stream<String> own = found.sameOrigin().stream()
                .filter(other -> other.task().attempt() < task.attempt())
                .map(other -> "attempt " + other.task().attempt() + " " + TaskTimeline.outcome(other.task()));
        String before = Stream.concat(others, own).collect(Collectors.joining("; "));
        return before.isEmpty() ? Optional.empty() : Optional.of("Before that: " + before + ".");
    }
}
