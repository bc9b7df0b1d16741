package dev.rowlock.offence.engine;

/** The one place for threads. */
public final class Loop {
    Thread thread() {
        return new Thread(() -> {});
    }
}
