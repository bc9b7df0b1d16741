package dev.rowlock.engine;

import dev.rowlock.exec.Ended;
import dev.rowlock.exec.Launcher;
import dev.rowlock.exec.OutputLimits;
import dev.rowlock.exec.Processes;
import dev.rowlock.exec.SpawnMethod;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Makes what runs the commands of a node. */
@FunctionalInterface
public interface Launching {

    /**
     * @param guarded asked before each start; while it answers false nothing may be started
     * @param ended to be told of every end, once, by any thread
     */
    Processes begin(BooleanSupplier guarded, Consumer<Ended> ended);

    /** The real thing. */
    static Launching processes(Path dataDir, OutputLimits limits, SpawnMethod method) {
        return (guarded, ended) ->
                new Launcher(dataDir.resolve("output"), limits, method, System::nanoTime, guarded, ended);
    }
}
