package dev.rowlock.offence.node;

/** The one place for threads. */
public final class Loop {
    Thread thread() {
        return new Thread(() -> {});
    }
}
