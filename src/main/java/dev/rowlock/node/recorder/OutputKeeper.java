package dev.rowlock.node.recorder;

import dev.rowlock.db.DataProblem;
import dev.rowlock.db.DatabaseUnavailable;
import dev.rowlock.db.StatementProblem;
import dev.rowlock.exec.Processes;
import dev.rowlock.node.LocalTasks;
import dev.rowlock.node.Pass;
import dev.rowlock.node.Step;
import dev.rowlock.task.CommandOutput;
import dev.rowlock.task.Ending;
import dev.rowlock.task.LaunchId;
import dev.rowlock.task.history.OutputStore;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Storage of the kept output of ended commands, and, while somebody follows them, of running ones, in the database. */
public final class OutputKeeper implements Step {

    private static final Logger log = LoggerFactory.getLogger(OutputKeeper.class);
    private static final Duration REST = Duration.ofSeconds(1);
    /** Bound on outputs that wait to be stored; the output of further commands is not kept. */
    private static final int MOST_WAITING = 2_000;
    /** Bound on failed statements in one pass; the outputs behind them come first in the next. */
    private static final int MOST_FAILURES = 20;
    /** Size of each end that is kept of an output that the database refuses, perhaps for its size. */
    private static final int SMALL = 4 << 10;

    private final Processes processes;
    private final OutputStore outputs;
    private final LocalTasks localTasks;
    private final LinkedBlockingQueue<Ending> ended = new LinkedBlockingQueue<>(MOST_WAITING);
    private final Set<LaunchId> leftBehind;
    private volatile boolean joined;
    private volatile Set<LaunchId> followed = Set.of();
    private volatile boolean overflowing;
    private boolean refused;
    private int failures;
    /** First problem of this pass. */
    private @Nullable StatementProblem problem;

    /** @param leftBehind launches of previous sessions of this node of which there is output */
    public OutputKeeper(Processes processes, Set<LaunchId> leftBehind, OutputStore outputs, LocalTasks localTasks) {
        this.processes = processes;
        this.leftBehind = new HashSet<>(leftBehind);
        this.outputs = outputs;
        this.localTasks = localTasks;
    }

    /** Notes that this node has joined: whatever a previous session executed and has no result is lost. */
    public void joined() {
        joined = true;
    }

    /** Queues the outputs of these endings, whose results are recorded. */
    public void ended(List<Ending> endings) {
        for (Ending ending : endings) {
            if (Long.valueOf(0).equals(ending.outputBytes())) {
                processes.discardOutput(Objects.requireNonNull(ending.launch()));
            } else {
                enqueue(ending);
            }
        }
    }

    private void enqueue(Ending ending) {
        if (!ended.offer(ending)) {
            if (!overflowing) {
                log.warn(
                        "{} outputs wait to be stored; those of further commands are not kept until there are fewer",
                        MOST_WAITING);
            }
            overflowing = true;
            processes.discardOutput(Objects.requireNonNull(ending.launch()));
        }
    }

    /** Returns the number of outputs that wait to be stored. */
    public int waiting() {
        return ended.size();
    }

    /** Sets the commands whose output so far somebody reads, in place of the ones before. */
    public void follow(Set<LaunchId> launches) {
        followed = Set.copyOf(launches);
    }

    /**
     * Stores what waits. An output that cannot be stored goes to the end of the queue, and is reported when all others
     * were tried.
     */
    @Override
    public Pass runOnce() {
        problem = null;
        for (int left = ended.size(); left > 0 && failures < MOST_FAILURES; left--) {
            Ending next = Objects.requireNonNull(ended.peek());
            LaunchId launch = Objects.requireNonNull(next.launch());
            boolean stored = isStored(next.taskId(), launch);
            ended.remove();
            if (stored) {
                processes.discardOutput(launch);
            } else {
                enqueue(next);
            }
        }
        failures = 0;
        if (problem == null) {
            overflowing = false;
        }
        for (LaunchId launch : followed) {
            localTasks
                    .executing(launch)
                    .ifPresent(executing -> isStored(executing.task().id(), launch));
        }
        settleLeftBehind();
        if (problem != null) {
            throw problem;
        }
        return Pass.rest(REST);
    }

    /**
     * Stores what it can before the node stops. Outputs that are left are stored at its next start, if their tasks were
     * lost.
     */
    public void storeLast() {
        try {
            runOnce();
        } catch (DatabaseUnavailable | StatementProblem e) {
            log.warn("not all of the last outputs are stored: {}", e.getMessage());
        }
    }

    /**
     * Stores outputs of a previous process that was killed where their tasks were lost; the rest is stored, or
     * nobody's. If that node had another name, its tasks may not be lost yet.
     */
    private void settleLeftBehind() {
        if (joined && !leftBehind.isEmpty()) {
            Set<LaunchId> executing = outputs.executing(leftBehind); // first: what ends from here on is found as lost
            Map<LaunchId, Long> lost = outputs.lost(leftBehind);
            for (LaunchId launch : Set.copyOf(leftBehind)) {
                Long task = lost.get(launch);
                if (task == null ? !executing.contains(launch) : isStored(task, launch)) {
                    processes.discardOutput(launch);
                    leftBehind.remove(launch);
                }
            }
        }
    }

    /** Stores an output; false: not for now, for a reason that is not known to be its fault. */
    private boolean isStored(long task, LaunchId launch) {
        try {
            store(task, launch);
            return true;
        } catch (StatementProblem e) {
            failures++;
            problem = problem == null ? e : problem;
            return false;
        }
    }

    /** Stores an output. One that the database refuses is given up, so that those behind it are stored. */
    private void store(long task, LaunchId launch) {
        CommandOutput output = processes.output(launch);
        if (output.totalBytes() == 0) {
            return;
        }
        try {
            write(task, launch, output);
            refused = false;
        } catch (DataProblem e) {
            storeSmall(task, launch, output.atMost(SMALL), e);
        }
    }

    private void storeSmall(long task, LaunchId launch, CommandOutput small, DataProblem whole) {
        try {
            write(task, launch, small);
            log.warn("of the output of {} only {} bytes are kept: {}", launch, 2 * SMALL, whole.getMessage());
        } catch (DataProblem e) {
            if (!refused) {
                log.error(
                        "the database refuses the output of {}; it is not kept, and others that are refused are not"
                                + " either",
                        launch,
                        e);
            }
            refused = true;
        }
    }

    private void write(long task, LaunchId launch, CommandOutput output) {
        outputs.write(task, launch, output.totalBytes(), output.cutBytes(), output.head(), output.tail());
    }
}
