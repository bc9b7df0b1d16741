package dev.rowlock.offence.node;

/** An offence, kept to see the rules fail. */
final class Exits {
    private Exits() {}

    static void exit() {
        System.exit(1);
    }
}
