package dev.rowlock.report.event;

import dev.rowlock.report.event.EventQueries.EventKind;
import dev.rowlock.report.event.EventQueries.EventSubject;
import dev.rowlock.report.event.EventQueries.Look;
import dev.rowlock.task.TaskView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Search for news since the last look. Rows commit neither in the order of their ids nor of their times, so each look
 * reads the window before the last one again, and leaves out what was told. Executing tasks are remembered: once one is
 * gone, its end is looked up by id, however long ago it was dated. A task that no look sees executing has ended within
 * the window. For one thread at a time.
 */
final class EventWatch {

    /** Most events reported by one look; the rest follows with the next. */
    private static final int TOLD = 2_000;
    /** Most changes of jobs reported by one look, as those may be large. */
    private static final int JOBS = 100;

    private static final Set<EventKind> OF_TASKS = Set.of(EventKind.STARTED, EventKind.ENDED, EventKind.HELD);

    private final Events events;
    private final Map<EventSubject, Instant> told = new HashMap<>();
    private Set<EventSubject> executing = new HashSet<>();
    private @Nullable Instant from;
    private boolean more;

    EventWatch(Events events) {
        this.events = events;
    }

    /** Looks for the first time: all that it finds is old. */
    void begin() {
        Look look = events.look(null);
        told.putAll(look.at());
        executing = executing(look);
        from = look.now().minus(Events.WINDOW);
    }

    boolean hasBegun() {
        return from != null;
    }

    /** Returns whether the last look left news to the next. */
    boolean hasMore() {
        return more;
    }

    /** Returns the number of remembered events: those of the window, as far as they were read, and executing tasks. */
    int remembered() {
        return told.size();
    }

    /** Returns the news, earliest first. */
    List<Event> next() {
        Instant since = from;
        Look look = events.look(since);
        if (look.cut()) {
            return tooMuch(look, since);
        }
        Map<EventSubject, Instant> at = new HashMap<>(look.at());
        gone(look).forEach(ended -> at.putIfAbsent(ended, look.now()));
        List<EventSubject> all = fresh(at);
        List<EventSubject> fresh = some(all);
        Set<EventSubject> started = new HashSet<>(executing);
        started.addAll(told.keySet());
        List<Event> found = new ArrayList<>(events.of(at, fresh, started));
        Set<Long> ended = ended(found);
        fresh.stream()
                .filter(subject -> look.at().containsKey(subject) || ended.contains(subject.id()))
                .forEach(subject -> told.put(subject, at.getOrDefault(subject, look.now())));
        boolean whole = fresh.size() == all.size();
        remember(look, whole);
        more = !whole;
        return found;
    }

    /**
     * Returns a gap, as a listener has to read everything again, and the rare events of nodes and jobs; thousands of
     * old events of tasks would not help it.
     */
    private List<Event> tooMuch(Look look, @Nullable Instant since) {
        List<EventSubject> rare = fresh(look.at()).stream()
                .filter(subject -> !OF_TASKS.contains(subject.kind()))
                .toList();
        List<Event> found = new ArrayList<>(events.of(look.at(), some(rare), Set.of()));
        found.add(Events.gap(look.now(), since == null ? look.now() : since));
        told.putAll(look.at());
        remember(look, true);
        more = false;
        return found;
    }

    /** Returns the tasks that ended; one that was given back has not. */
    private static Set<Long> ended(List<Event> found) {
        Set<Long> ended = new HashSet<>();
        for (Event event : found) {
            if (event.thing() instanceof TaskView task && task.isEnded()) {
                ended.add(task.id());
            }
        }
        return ended;
    }

    /** Returns the possible ends of tasks that execute no longer; one that was given back has none. */
    private List<EventSubject> gone(Look look) {
        return executing.stream()
                .filter(subject -> !look.at().containsKey(subject))
                .map(subject -> new EventSubject(EventKind.ENDED, subject.id(), 0, ""))
                .filter(ended -> !told.containsKey(ended))
                .toList();
    }

    private List<EventSubject> fresh(Map<EventSubject, Instant> at) {
        return at.keySet().stream()
                .filter(subject -> !told.containsKey(subject))
                .sorted(Comparator.comparing(at::get))
                .toList();
    }

    private static List<EventSubject> some(List<EventSubject> fresh) {
        List<EventSubject> some = new ArrayList<>();
        int jobs = 0;
        for (EventSubject subject : fresh) {
            jobs += subject.kind() == EventKind.CHANGED ? 1 : 0;
            if (some.size() < TOLD && (subject.kind() != EventKind.CHANGED || jobs <= JOBS)) {
                some.add(subject);
            }
        }
        return some;
    }

    /** Moves the window on when all in it was told; back if the database's clock went back. */
    private void remember(Look look, boolean whole) {
        Set<EventSubject> now = executing(look);
        if (whole) {
            executing = now;
            Instant next = look.now().minus(Events.WINDOW);
            from = next;
            told.entrySet().removeIf(e -> e.getValue().isBefore(next) && !now.contains(e.getKey()));
        } else {
            executing.addAll(now);
        }
    }

    private static Set<EventSubject> executing(Look look) {
        Set<EventSubject> executing = new HashSet<>();
        look.at().keySet().stream().filter(s -> s.kind() == EventKind.STARTED).forEach(executing::add);
        return executing;
    }
}
