package dev.rowlock.engine;

import dev.rowlock.exec.Output;
import dev.rowlock.exec.Processes;
import dev.rowlock.job.LaunchId;
import dev.rowlock.store.Ending;
import dev.rowlock.store.Outputs;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Moves the kept output of ended commands into the database, and, while somebody follows them, that of running ones. */
final class OutputKeeper implements Step {

    private static final Duration REST = Duration.ofSeconds(1);

    private final Processes processes;
    private final Outputs outputs;
    private final Holdings holdings;
    private final ConcurrentLinkedQueue<Ending> ended = new ConcurrentLinkedQueue<>();
    private final Set<LaunchId> leftBehind;
    private volatile boolean joined;
    private volatile Set<LaunchId> followed = Set.of();

    /** @param leftBehind launches of earlier lives of this node of which there is output */
    OutputKeeper(Processes processes, Set<LaunchId> leftBehind, Outputs outputs, Holdings holdings) {
        this.processes = processes;
        this.leftBehind = new HashSet<>(leftBehind);
        this.outputs = outputs;
        this.holdings = holdings;
    }

    /** This node has joined: these results are recorded, and whatever else an earlier life of it executed is lost. */
    void joined(List<Ending> endings) {
        ended(endings);
        joined = true;
    }

    /** The results of these are recorded: their output can be stored. */
    void ended(List<Ending> endings) {
        ended.addAll(endings);
    }

    void follow(Set<LaunchId> launches) {
        followed = Set.copyOf(launches);
    }

    @Override
    public Pass runOnce() {
        for (Ending next = ended.peek(); next != null; next = ended.peek()) {
            LaunchId launch = Objects.requireNonNull(next.launch());
            write(next.taskId(), launch);
            ended.remove();
            processes.discardOutput(launch);
        }
        settleLeftBehind();
        for (LaunchId launch : followed) {
            holdings.executing(launch)
                    .ifPresent(executing -> write(executing.task().id(), launch));
        }
        return Pass.rest(REST);
    }

    /** Of a node that was killed, the output of what was lost with it is kept too; the rest is stored already, or nobody's. */
    private void settleLeftBehind() {
        if (joined && !leftBehind.isEmpty()) {
            outputs.lost(leftBehind).forEach((launch, task) -> write(task, launch));
            leftBehind.forEach(processes::discardOutput);
            leftBehind.clear();
        }
    }

    private void write(long task, LaunchId launch) {
        Output output = processes.output(launch);
        if (output.totalBytes() > 0) {
            outputs.write(task, launch, output.totalBytes(), output.cutBytes(), output.head(), output.tail());
        }
    }
}
