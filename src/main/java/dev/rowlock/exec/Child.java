package dev.rowlock.exec;

import dev.rowlock.exec.output.Outflow;
import java.util.concurrent.CompletableFuture;

/**
 * Process that was created.
 *
 * @param pid also the id of its process session
 * @param exit its exit code as a shell says it (128 + n for signal n), or -1 if the kernel did not tell. Completed when
 *     it was collected, so its pid may be another's by then
 * @param outflow what it writes
 * @param provision to be taken back when nothing of it is left
 */
record Child(int pid, CompletableFuture<Integer> exit, Outflow outflow, Provision provision) {

    Child(int pid, CompletableFuture<Integer> exit, Outflow outflow) {
        this(pid, exit, outflow, Provision.NONE);
    }

    Child with(Provision other) {
        return new Child(pid, exit, outflow, other);
    }
}
