package dev.rowlock.engine;

import dev.rowlock.exec.Ended;
import dev.rowlock.exec.Processes;
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
}
