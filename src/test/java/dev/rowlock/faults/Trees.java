package dev.rowlock.faults;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * What a JVM has started, directly or not, as far as it was ever seen below it: what has lost its parent since is still
 * known. A handle is that of one process, even if another gets its id.
 */
final class Trees {

    private static final int ROUNDS = 3;

    private final Set<ProcessHandle> seen = new LinkedHashSet<>();

    Trees(ProcessHandle root) {
        seen.add(root);
    }

    /** Remembers what is there now; returns whether that was new. */
    synchronized boolean look() {
        int before = seen.size();
        ProcessHandle.allProcesses()
                .filter(process -> process.parent().filter(seen::contains).isPresent())
                .forEach(seen::add);
        return seen.size() > before;
    }

    /** Kills all of it, and what was started meanwhile. */
    synchronized void kill() {
        for (int round = 0; round < ROUNDS; round++) {
            look();
            ProcessHandle[] alive = seen.stream().filter(ProcessHandle::isAlive).toArray(ProcessHandle[]::new);
            CompletableFuture<?>[] ends = new CompletableFuture<?>[alive.length];
            for (int i = 0; i < alive.length; i++) {
                alive[i].destroyForcibly();
                ends[i] = alive[i].onExit();
            }
            // What nobody waits for stays a zombie.
            CompletableFuture<?> unused = CompletableFuture.allOf(ends)
                    .completeOnTimeout(null, 2, TimeUnit.SECONDS)
                    .handle((all, problem) -> null);
            unused.join();
        }
    }
}
