package dev.rowlock.node;

import dev.rowlock.exec.Ended;
import dev.rowlock.exec.Launcher;
import dev.rowlock.exec.Processes;
import dev.rowlock.exec.SpawnMethod;
import dev.rowlock.exec.output.OutputLimits;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Factory of what runs the commands of a node. */
@FunctionalInterface
public interface Launching {

    /**
     * Begins to run commands.
     *
     * @param guarded read before each start; while it is false nothing may be started
     * @param ended receives every end, once, from any thread
     */
    Processes begin(BooleanSupplier guarded, Consumer<Ended> ended);

    /** Returns the factory of real processes. */
    static Launching processes(Path dataDir, OutputLimits limits, SpawnMethod method) {
        return (guarded, ended) ->
                new Launcher(dataDir.resolve("output"), limits, method, System::nanoTime, guarded, ended);
    }
}
