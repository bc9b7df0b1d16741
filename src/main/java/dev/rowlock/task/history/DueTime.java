package dev.rowlock.task.history;

/** Due time of a scheduled occurrence: its fire time, or as far behind it as its row says. */
public final class DueTime {

    /** Due time of {@code task t}. */
    public static final String SCHEDULED = "t.fire_time + interval t.jitter_ms * 1000 microsecond";

    private DueTime() {}
}
