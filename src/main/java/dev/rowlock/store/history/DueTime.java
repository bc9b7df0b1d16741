package dev.rowlock.store.history;

/** When what a schedule asks for is due: at its fire time, or as far behind it as its row says. */
public final class DueTime {

    /** Of {@code task t}. */
    public static final String SCHEDULED = "t.fire_time + interval t.jitter_ms * 1000 microsecond";

    private DueTime() {}
}
