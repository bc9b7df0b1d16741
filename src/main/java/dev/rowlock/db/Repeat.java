package dev.rowlock.db;

/** Signal to repeat a transaction of which nothing has happened, and which may succeed then. */
final class Repeat extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private static final int TRIES = 5;

    /**
     * Tries where several servers take writes together: what would wait for a lock on a single one is undone there,
     * again and again while others commit.
     */
    private static final int TRIES_TOGETHER = 30;

    /** @param cause a deadlock (1213), a lock-wait timeout (1205) or the like */
    Repeat(Throwable cause) {
        super(null, cause, false, false);
    }

    /**
     * Returns whether to try once more.
     *
     * @param tried how often it has been
     * @param together whether several servers take writes for one cluster
     */
    boolean mayBeTried(int tried, boolean together) {
        boolean quick = !SqlErrors.isLockWait(this);
        return tried < (together && quick ? TRIES_TOGETHER : TRIES);
    }
}
