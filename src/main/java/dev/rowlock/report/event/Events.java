package dev.rowlock.report.event;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.definition.JobKey;
import dev.rowlock.freeze.store.FreezeStore.FreezeAt;
import dev.rowlock.job.JobView;
import dev.rowlock.job.store.JobQueries;
import dev.rowlock.report.event.EventQueries.EventKind;
import dev.rowlock.report.event.EventQueries.EventSubject;
import dev.rowlock.report.event.EventQueries.Look;
import dev.rowlock.report.event.EventQueries.NodeChange;
import dev.rowlock.task.TaskView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Source of events, made from what is recorded. Thread-safe. */
public final class Events {

    /** Window that is read again: longer than any transaction may take, so that nothing commits behind it. */
    static final Duration WINDOW = Duration.ofSeconds(15);
    /** Distance that a new stream begins before the last event that its listener has seen, for the same reason. */
    private static final Duration OVERLAP = Duration.ofSeconds(30);
    /** Most ended tasks that are looked at together. */
    static final int MOST = 20_000;
    /** Most events told to a listener that reconnects. */
    private static final int REPLAYED = 5_000;
    /** Most changes of jobs told to it, as each has a whole definition. */
    private static final int REPLAYED_JOBS = 100;

    private static final Comparator<Event> ORDER = Comparator.comparing(
                    (Event event) -> Objects.requireNonNull(Event.timeOf(event.id())))
            .thenComparing(event -> event.name().equals("task.ended"));

    private final EventQueries queries;
    private final JobQueries jobs;

    public Events(EventQueries queries, JobQueries jobs) {
        this.queries = queries;
        this.jobs = jobs;
    }

    /** Looks at what happened since a time; null: within {@link #WINDOW}. */
    Look look(@Nullable Instant from) {
        return queries.look(from, WINDOW, MOST);
    }

    /**
     * Returns the events since the last one that a listener has seen, earliest first. Some may have been told before:
     * nobody knows what had not committed then.
     */
    List<Event> since(Instant seen) {
        Instant from = seen.minus(OVERLAP);
        Look look = queries.look(from, WINDOW, REPLAYED);
        look.at()
                .keySet()
                .removeIf(s -> s.kind() == EventKind.STARTED
                        && look.at().getOrDefault(s, from).isBefore(from));
        Set<EventSubject> tooMany = look.at().keySet().stream()
                .filter(subject -> subject.kind() == EventKind.CHANGED)
                .sorted(Comparator.comparing(look.at()::get))
                .skip(REPLAYED_JOBS)
                .collect(Collectors.toSet());
        look.at().keySet().removeAll(tooMany);
        List<Event> events = new ArrayList<>(of(look.at(), look.at().keySet(), Set.of()));
        if (look.cut() || !tooMany.isEmpty()) {
            events.add(gap(look.now(), from));
        }
        return events;
    }

    static Event gap(Instant now, Instant since) {
        return new Event(
                now.toEpochMilli() + "-gap",
                Event.GAP,
                null,
                new Event.Gap(since, "more happened than is told here; read again what you show"));
    }

    /**
     * Returns the events of these subjects, earliest first. A task that ended also yields its start.
     *
     * @param at when each happened
     * @param started what is known to have started
     */
    List<Event> of(Map<EventSubject, Instant> at, Collection<EventSubject> subjects, Set<EventSubject> started) {
        Map<Long, TaskView> tasks = queries.tasks(ids(subjects, EventKind.STARTED, EventKind.ENDED, EventKind.HELD));
        Map<Long, JobView> changed = changed(ids(subjects, EventKind.CHANGED));
        Map<Long, JobKey> deleted = queries.names(ids(subjects, EventKind.DELETED));
        Map<String, NodeChange> nodes = queries.nodes(subjects.stream()
                .filter(s -> s.kind() == EventKind.JOINED || s.kind() == EventKind.LEFT)
                .map(EventSubject::mark)
                .toList());
        Map<Long, FreezeAt> freezes = queries.freezes(ids(subjects, EventKind.FROZEN));
        List<Event> events = new ArrayList<>();
        for (EventSubject subject : subjects) {
            Instant when = at.getOrDefault(subject, Instant.EPOCH);
            switch (subject.kind()) {
                case STARTED, HELD -> add(events, subject, when, tasks.get(subject.id()));
                case ENDED -> ended(events, tasks.get(subject.id()), started);
                case CHANGED -> add(events, subject, when, changed.get(subject.id()));
                case DELETED -> {
                    JobKey key = deleted.get(subject.id());
                    if (key != null) {
                        Object left = new Event.DeletedJob(key.namespace(), key.name(), subject.version(), true);
                        events.add(new Event(id(subject, when), name(subject.kind()), key, left));
                    }
                }
                case JOINED, LEFT -> add(events, subject, when, nodes.get(subject.mark()));
                case FROZEN -> add(events, subject, when, json(freezes.get(subject.id())));
            }
        }
        events.sort(ORDER);
        return events;
    }

    private static void add(List<Event> events, EventSubject subject, Instant when, @Nullable Object thing) {
        if (thing != null) { // else it was purged, or deleted, meanwhile
            JobKey job = thing instanceof TaskView task
                    ? task.job()
                    : thing instanceof JobView view ? view.job().key() : null;
            events.add(new Event(id(subject, when), name(subject.kind()), job, thing));
        }
    }

    private static @Nullable ObjectNode json(@Nullable FreezeAt freeze) {
        return freeze == null ? null : freeze.json();
    }

    private static void ended(List<Event> events, @Nullable TaskView task, Set<EventSubject> started) {
        if (task == null || task.endedAt() == null) {
            return;
        }
        if (task.startedAt() != null && task.launchId() != null) {
            EventSubject start = new EventSubject(EventKind.STARTED, task.id(), 0, task.launchId());
            if (!started.contains(start)) {
                add(events, start, task.startedAt(), task);
            }
        }
        add(events, new EventSubject(EventKind.ENDED, task.id(), 0, ""), task.endedAt(), task);
    }

    private static String name(EventKind kind) {
        return switch (kind) {
            case STARTED -> "task.started";
            case ENDED -> "task.ended";
            case HELD -> "task.held";
            case CHANGED, DELETED -> "job.changed";
            case JOINED -> "node.joined";
            case LEFT -> "node.left";
            case FROZEN -> "freeze.changed";
        };
    }

    private static String id(EventSubject subject, Instant when) {
        String what = subject.kind().name().toLowerCase(Locale.ROOT);
        String whose = subject.id() == 0 ? subject.mark() : Long.toString(subject.id());
        String which = subject.kind() == EventKind.STARTED
                ? "." + subject.mark()
                : subject.version() == 0 ? "" : "." + subject.version();
        return when.toEpochMilli() + "-" + what + "-" + whose + which;
    }

    private Map<Long, JobView> changed(Set<Long> ids) {
        Map<Long, JobView> views = new HashMap<>();
        jobs.byIds(ids).forEach((job, facts) -> views.put(job.id(), new JobView(job, facts)));
        return views;
    }

    private static Set<Long> ids(Collection<EventSubject> subjects, EventKind... kinds) {
        return subjects.stream()
                .filter(s -> List.of(kinds).contains(s.kind()))
                .map(EventSubject::id)
                .collect(Collectors.toSet());
    }
}
