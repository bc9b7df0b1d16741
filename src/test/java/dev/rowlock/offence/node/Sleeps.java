package dev.rowlock.offence.node;

/** An offence, kept to see the rules fail. */
final class Sleeps {
    private Sleeps() {}

    static void sleep() throws InterruptedException {
        Thread.sleep(1);
    }
}
