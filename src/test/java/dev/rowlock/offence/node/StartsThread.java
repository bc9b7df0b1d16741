package dev.rowlock.offence.node;

/** Offences, kept to see the rules fail. */
final class StartsThread {
    private StartsThread() {}

    static Thread thread() {
        return new Thread(() -> {});
    }

    static java.util.concurrent.ExecutorService pool() {
        return java.util.concurrent.Executors.newCachedThreadPool();
    }

    static java.util.concurrent.CompletableFuture<Void> async() {
        return java.util.concurrent.CompletableFuture.runAsync(() -> {});
    }
}
