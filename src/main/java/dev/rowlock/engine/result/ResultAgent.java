package dev.rowlock.engine.result;

import dev.rowlock.engine.NodeContext;
import dev.rowlock.engine.Postponed;
import dev.rowlock.engine.Signals.Signal;
import dev.rowlock.engine.Step;
import dev.rowlock.exec.Ended;
import dev.rowlock.exec.Processes;
import dev.rowlock.store.history.Ending;
import dev.rowlock.store.history.OutputStore;
import dev.rowlock.store.task.Finish;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;

/** Runs commands and records how they end, on connections of its own: from the end of a command to its row of history and its output. */
public final class ResultAgent implements AutoCloseable {

    private final Finish finish;
    private final ResultJournal journal;
    private final Processes processes;
    private final OutputKeeper outputs;
    private final Recording recording;
    private final Step recorder;

    /**
     * Adds its loops to those of the node.
     *
     * @param second over another connection, for when many results wait
     * @param beside runs that one beside the first
     * @param launching makes what runs the commands, and tells of each end
     */
    public ResultAgent(
            NodeContext node,
            Finish finish,
            Finish second,
            Executor beside,
            Function<Consumer<Ended>, Processes> launching,
            Path dataDir,
            OutputStore outputStore) {
        this.finish = finish;
        this.journal = new ResultJournal(dataDir.resolve("results.journal"));
        this.processes = launching.apply(new Results(
                node.localTasks(),
                node.lease(),
                node.settings().keepsCommands(),
                node.clock(),
                journal,
                () -> node.signals().tell(Signal.COMMAND_ENDED)));
        this.outputs = new OutputKeeper(processes, processes.outputs(), outputStore, node.localTasks());
        Postponed<Ending> unrecorded = Recording.postponed(node.nanos());
        this.recording = new Recording(finish, unrecorded);
        Lanes lanes = new Lanes(
                recording::record,
                new Recording(second, unrecorded)::record,
                beside,
                node.slots()::areBeingFilled,
                node.settings().batch(),
                node.nanos());
        this.recorder = new ResultRecorder(
                node.localTasks(),
                node.lease(),
                lanes,
                journal,
                unrecorded,
                node.settings().batch(),
                recorded -> {
                    outputs.ended(recorded);
                    node.signals().tell(Signal.RESULTS_RECORDED);
                });
        node.signals().listen(Signal.COMMAND_ENDED, node.loops().add("results", recorder, ResultRecorder.CALM));
        node.signals().listen(Signal.RESULTS_RECORDED, node.loops().add("output", outputs));
    }

    /** What moves results to history. */
    public Finish finish() {
        return finish;
    }

    public ResultJournal journal() {
        return journal;
    }

    public Processes processes() {
        return processes;
    }

    public OutputKeeper outputs() {
        return outputs;
    }

    public Recording recording() {
        return recording;
    }

    /** Records what waits. */
    public Step recorder() {
        return recorder;
    }

    /** Stores the last outputs, and runs no commands any more. */
    @Override
    public void close() {
        outputs.storeLast();
        processes.close();
    }
}
