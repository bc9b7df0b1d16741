package dev.rowlock.exec;

import java.util.concurrent.CompletableFuture;

/**
 * A process that was made.
 *
 * @param pid also the id of its process session
 * @param exit completed once, when it has ended and was collected, so that its pid may be another's by then: its exit code as a shell
 *     would say it (128 + n for signal n), or -1 if the kernel did not tell
 */
record Child(int pid, CompletableFuture<Integer> exit) {}
