package dev.rowlock.faults;

/** A part of the tests: those that run at every build, and those with a tag that says they take long. */
enum Lane {
    FAST,
    SLOW;

    static final String TAG = "slow";

    String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }

    static Lane of(String word) {
        return valueOf(word.toUpperCase(java.util.Locale.ROOT));
    }
}
