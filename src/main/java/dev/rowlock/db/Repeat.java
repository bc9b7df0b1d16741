package dev.rowlock.db;

/** A transaction of which nothing has happened, and which may succeed when it is done again. */
final class Repeat extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private static final int TRIES = 5;

    /**
     * Where servers take writes together: what would wait for a lock on one of them is undone there, again and again
     * while others commit.
     */
    private static final int TRIES_TOGETHER = 30;

    /** @param cause a deadlock (1213), a lock-wait timeout (1205) or the like */
    Repeat(Throwable cause) {
        super(null, cause, false, false);
    }

    /**
     * Whether it is to be done once more.
     *
     * @param tried how often it has been
     * @param together whether several servers take writes for one cluster
     */
    boolean mayBeTried(int tried, boolean together) {
        boolean quick = !SqlErrors.isLockWait(this);
        return tried < (together && quick ? TRIES_TOGETHER : TRIES);
    }
}
