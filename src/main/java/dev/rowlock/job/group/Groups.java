package dev.rowlock.job.group;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.access.Caller;
import dev.rowlock.access.OnBehalf;
import dev.rowlock.definition.Group;
import dev.rowlock.definition.GroupDefinition;
import dev.rowlock.definition.JobKey;
import dev.rowlock.field.InvalidDefinition;
import dev.rowlock.http.MergePatch;
import dev.rowlock.http.Precondition;
import dev.rowlock.http.Refused;
import dev.rowlock.http.Refused.Reason;
import dev.rowlock.job.store.GroupStore;
import dev.rowlock.job.store.GroupStore.InUse;
import dev.rowlock.task.TaskView;
import dev.rowlock.task.query.TaskQueries;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Groups of jobs that share a limit, as people manage them. Thread-safe. */
public final class Groups {

    /** Most executing, and most waiting, tasks shown of one group. */
    private static final int SHOWN = 100;

    private final GroupStore store;
    private final TaskQueries tasks;
    private final Runnable wake;
    private final OnBehalf asker;
    private final Precondition precondition;

    /** @param wake called when there may be more to start */
    public Groups(GroupStore store, TaskQueries tasks, Runnable wake) {
        this(store, tasks, wake, OnBehalf.OF_NOBODY, Precondition.NONE);
    }

    private Groups(GroupStore store, TaskQueries tasks, Runnable wake, OnBehalf asker, Precondition precondition) {
        this.asker = asker;
        this.precondition = precondition;
        this.store = store;
        this.tasks = tasks;
        this.wake = wake;
    }

    /** Returns a view for a caller: tasks of other namespaces are left out, and every change is audited. */
    public Groups by(Caller caller) {
        return new Groups(store, tasks, wake, new OnBehalf(caller), precondition);
    }

    /** Returns a view whose changes require this condition. */
    public Groups when(Precondition holds) {
        return new Groups(store, tasks, wake, asker, holds);
    }

    /** Returns the ETag of a group. */
    public static String tag(Group group) {
        return tag(new GroupDefinition(group.limit(), group.description()));
    }

    private static String tag(GroupDefinition group) {
        return Precondition.tag(group.json());
    }

    private void check(Optional<GroupDefinition> seen) {
        precondition.check("the group", seen.map(Groups::tag));
    }

    /** @param created whether it was not there before */
    public record SavedGroup(Group group, boolean created) {}

    /** Lists the groups after this name, in order. */
    public List<Group> list(@Nullable String after, int most) {
        return store.list(after, most);
    }

    public Group get(String name) {
        return store.find(name).orElseThrow(() -> noSuchGroup(name));
    }

    /** Returns the executing tasks, then the waiting ones in the order in which they are to start. */
    public List<TaskView> tasks(String name) {
        List<Long> order = store.tasks(name, SHOWN);
        var byId = tasks.find(order).stream()
                .filter(task -> !task.isEnded() && asker.reaches(task.job().namespace()))
                .collect(Collectors.toMap(TaskView::id, task -> task, (one, again) -> again));
        return order.stream()
                .distinct()
                .flatMap(id -> Optional.ofNullable(byId.get(id)).stream())
                .toList();
    }

    /** Creates or replaces a group. A lower limit ends no task; a higher one starts waiting ones. */
    public SavedGroup put(String name, GroupDefinition group) {
        boolean created = store.find(name).isEmpty();
        store.put(name, group, this::check, asker.audit());
        wake.run();
        return new SavedGroup(get(name), created);
    }

    /**
     * Changes some fields of a group (RFC 7396).
     *
     * @throws InvalidDefinition if the result is not acceptable
     * @throws Refused there is no such group
     */
    public Group patch(String name, ObjectNode patch) {
        boolean there = store.change(
                name,
                seen -> {
                    check(Optional.of(seen));
                    ObjectNode merged = seen.json();
                    MergePatch.apply(merged, patch);
                    return GroupDefinition.parse(merged);
                },
                asker.audit());
        if (!there) {
            throw noSuchGroup(name);
        }
        wake.run();
        return get(name);
    }

    /** @throws Refused there is no such group, or it is in use */
    public void delete(String name) {
        get(name);
        Optional<InUse> use = store.delete(name, this::check, asker.audit());
        if (use.isPresent()) {
            throw new Refused(Reason.CONFLICT, inUse(name, use.get()));
        }
    }

    private static String inUse(String name, InUse use) {
        List<JobKey> jobs = use.jobs();
        return jobs.isEmpty()
                ? "tasks of group " + name + " execute; delete it when they have ended, or kill them"
                : "group " + name + " is used by "
                        + jobs.stream().limit(3).map(JobKey::toString).collect(Collectors.joining(", "))
                        + (jobs.size() > 3 ? " and others" : "")
                        + "; give these jobs another group, or none, first";
    }

    private static Refused noSuchGroup(String name) {
        return new Refused(Reason.NOT_FOUND, "there is no group " + name);
    }
}
