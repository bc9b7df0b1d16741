package dev.rowlock.engine.result;

import dev.rowlock.job.LaunchId;
import dev.rowlock.task.Ending;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The results that are not in the database yet, oldest first: in memory, and in a journal, with which it begins when
 * the node starts. Thread-safe: one lock holds memory and journal together.
 */
public final class ResultQueue implements AutoCloseable {

    private final ResultJournal journal;
    private final Map<LaunchId, Ending> waiting = new LinkedHashMap<>();
    /** For who must not wait while the disk does. */
    private volatile int size;

    /** @param path of the journal; made if it is missing */
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

    /** How many there are. */
    public int size() {
        return size;
    }

    /** The size of the journal; what is recorded leaves it a while later. */
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
