package dev.rowlock.offence.node;

/** An offence, kept to see the rules fail. */
final class StartsProcess {
    private StartsProcess() {}

    static Process start() throws java.io.IOException {
        return new ProcessBuilder("true").start();
    }
}
