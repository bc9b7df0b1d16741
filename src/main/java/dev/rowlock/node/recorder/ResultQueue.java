package dev.rowlock.node.recorder;

import dev.rowlock.task.Ending;
import dev.rowlock.task.LaunchId;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Results that are not in the database yet, oldest first: in memory, and in a journal, which is read when the node
 * starts. Thread-safe: one lock holds memory and journal together.
 */
public final class ResultQueue implements AutoCloseable {

    private final ResultJournal journal;
    private final Map<LaunchId, Ending> waiting = new LinkedHashMap<>();
    /** Size for callers that must not wait for the disk. */
    private volatile int size;

    /**
     * Opens the queue.
     *
     * @param path of the journal; made if it is missing
     */
    public ResultQueue(Path path) {
        this(new ResultJournal(path));
    }

    ResultQueue(ResultJournal journal) {
        this.journal = journal;
        journal.read().forEach(result -> waiting.put(launch(result), result));
        this.size = waiting.size();
    }

    /** Keeps a result until it is removed, in memory only if the disk does not take it. */
    synchronized void add(Ending result) {
        journal.append(result);
        waiting.put(launch(result), result);
        size = waiting.size();
    }

    synchronized List<Ending> first(int most) {
        return waiting.values().stream().limit(most).toList();
    }

    synchronized List<Ending> all() {
        return List.copyOf(waiting.values());
    }

    synchronized boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Returns the number of results. */
    public int size() {
        return size;
    }

    /** Returns the size of the journal, from which recorded results are removed a while later. */
    public long journalBytes() {
        return journal.bytes();
    }

    synchronized void remove(Collection<Ending> results) {
        results.forEach(result -> waiting.remove(launch(result)));
        size = waiting.size();
        journal.keepOnly(waiting.values());
    }

    @Override
    public synchronized void close() {
        journal.close();
    }

    private static LaunchId launch(Ending result) {
        return Objects.requireNonNull(result.launch());
    }
}
