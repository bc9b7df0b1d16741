package dev.rowlock.offence.node;

/** An offence, kept to see the rules fail. */
final class OpensOntoMain {
    private OpensOntoMain() {}

    static String name() {
        return dev.rowlock.offence.Main.name();
    }
}
