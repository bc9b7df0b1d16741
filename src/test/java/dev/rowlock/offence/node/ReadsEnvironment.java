package dev.rowlock.offence.node;

/** An offence, kept to see the rules fail. */
final class ReadsEnvironment {
    private ReadsEnvironment() {}

    static java.util.Map<String, String> all() {
        return System.getenv();
    }
}
