package dev.rowlock.store.task;

import dev.rowlock.db.Database;
import dev.rowlock.db.Locks;
import dev.rowlock.job.LaunchId;
import dev.rowlock.job.Outcome;
import dev.rowlock.store.history.Ending;
import dev.rowlock.store.history.Endings;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Executing → history, and what follows from it. */
public final class Finish {

    private static final String RECORDED = """
            select id, outcome, launch_id from task_history where id in (<ids>)
            """;

    private static final String REFUSED = """
            update task set waits_for = :error where id = :id and launch_id = :launch and state = 'EXECUTING'
            """;

    private final Database database;
    private final Recoveries recoveries;
    private final String node;

    /**
     * @param maxLost how often one occurrence is run again after it was lost
     * @param backoff the delay before the second such run; it doubles with each further one. The first is not delayed.
     */
    public Finish(Database database, String node, int maxLost, Duration backoff) {
        this.database = database;
        this.node = node;
        this.recoveries = new Recoveries(maxLost, backoff);
    }

    /**
     * Records these endings, in one transaction; may be repeated.
     *
     * @return what came too late, by launch id, with what history says of its task: it was lost meanwhile, or is recorded under another launch
     *     id, or not at all (nothing, when the task was reset)
     */
    public Map<LaunchId, Recorded> finish(Collection<Ending> endings) {
        return database.transact("recording " + endings.size() + " results", handle -> {
            Locks.shards(handle, endings.stream().map(Ending::shard).collect(Collectors.toSet()));
            int written = recordIn(handle, endings);
            return written == endings.size() ? Map.of() : recorded(handle, endings);
        });
    }

    /** Notes on the row of a task why its result cannot be recorded. */
    public void refused(Ending ending, String why) {
        database.transact("noting on task " + ending.taskId() + " that its result is refused", handle -> {
            Locks.shards(handle, List.of(ending.shard()));
            return handle.createUpdate(REFUSED)
                    .bind("error", Waits.error("the result cannot be recorded: " + why))
                    .bind("id", ending.taskId())
                    .bind(
                            "launch",
                            ending.launch() == null ? null : ending.launch().text())
                    .execute();
        });
    }

    /** What history has for a task. */
    public record Recorded(String outcome, LaunchId launch) {}

    public int recordIn(Handle handle, Collection<Ending> endings) {
        return recordIn(handle, endings, node);
    }

    /** @param executedBy whose name stands in history if the session's row is gone; null: nobody knows */
    public int recordIn(Handle handle, Collection<Ending> endings, @Nullable String executedBy) {
        if (endings.isEmpty()) {
            return 0;
        }
        int written = Endings.write(handle, endings, executedBy);
        recoveries.insert(handle, endings);
        Endings.remove(handle, endings, written);
        return written;
    }

    private static Map<LaunchId, Recorded> recorded(Handle handle, Collection<Ending> endings) {
        Map<Long, Recorded> found = new HashMap<>();
        handle.createQuery(RECORDED)
                .bindList("ids", endings.stream().map(Ending::taskId).toList())
                .map((row, context) -> found.put(
                        row.getLong("id"),
                        new Recorded(
                                row.getString("outcome"), new LaunchId(String.valueOf(row.getString("launch_id"))))))
                .list();
        Map<LaunchId, Recorded> result = new HashMap<>();
        for (Ending ending : endings) {
            Recorded recorded = found.getOrDefault(ending.taskId(), NOTHING);
            boolean expired = recorded.outcome().equals(Outcome.LOST.name()) && ending.outcome() != Outcome.LOST;
            if (ending.launch() != null && (expired || !recorded.launch().equals(ending.launch()))) {
                result.put(ending.launch(), recorded);
            }
        }
        return result;
    }

    private static final Recorded NOTHING = new Recorded("", new LaunchId(""));

    static List<Ending> onlyLost(Collection<Ending> endings) {
        return endings.stream().filter(e -> e.outcome() == Outcome.LOST).toList();
    }
}
