package dev.rowlock.node.recorder;

import dev.rowlock.exec.Ended;
import dev.rowlock.exec.Processes;
import dev.rowlock.node.NodeContext;
import dev.rowlock.node.Signals.Signal;
import dev.rowlock.task.history.OutputStore;
import dev.rowlock.task.transition.Finish;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Agent that runs commands and records how they end, on a connection of its own: from the end of a command to its row
 * of history and its output.
 */
public final class ResultAgent implements AutoCloseable {

    private final Finish finish;
    private final ResultQueue queue;
    private final Processes processes;
    private final OutputKeeper outputs;
    private final ResultRecorder recorder;

    /**
     * Adds its loops to those of the node.
     *
     * @param launching makes what runs the commands, and receives each end
     */
    public ResultAgent(
            NodeContext node,
            Finish finish,
            Function<Consumer<Ended>, Processes> launching,
            Path dataDir,
            OutputStore outputStore) {
        this.finish = finish;
        this.queue = new ResultQueue(dataDir.resolve("results.journal"));
        this.processes = launching.apply(new Exits(node, queue));
        this.outputs = new OutputKeeper(processes, processes.outputs(), outputStore, node.localTasks());
        this.recorder = new ResultRecorder(
                node.localTasks(),
                node.lease(),
                queue,
                finish,
                node.nanos(),
                node.settings().batch(),
                recorded -> {
                    if (recorded.handed()) {
                        node.signals().tell(Signal.TASKS_HANDED);
                    }
                    outputs.ended(recorded.done());
                    node.signals().tell(Signal.RESULTS_RECORDED);
                    if (recorded.frees()) {
                        node.signals().tell(Signal.TASKS_FREED);
                    }
                    if (recorded.endsTurn()) {
                        node.signals().tell(Signal.TURN_ENDED);
                    }
                });
        node.signals().listen(Signal.COMMAND_ENDED, node.loops().add("results", recorder, ResultRecorder.DEBOUNCE));
        node.signals().listen(Signal.AWAITED_ENDED, node.loops().hurrying("results"));
        node.signals().listen(Signal.RESULTS_RECORDED, node.loops().add("output", outputs));
    }

    /** Returns the transition of results to history. */
    public Finish finish() {
        return finish;
    }

    /** Returns what has ended and is not recorded yet. */
    public ResultQueue queue() {
        return queue;
    }

    public Processes processes() {
        return processes;
    }

    public OutputKeeper outputs() {
        return outputs;
    }

    /** Returns the recorder of what waits: a batch with each pass, or all of it. */
    public ResultRecorder recorder() {
        return recorder;
    }

    /** Stores the last outputs, and stops running commands. */
    @Override
    public void close() {
        outputs.storeLast();
        processes.close();
    }
}
