package dev.rowlock.schedule.calendar;

/** Rule for fire times on a local date that a calendar has closed. */
public enum OnClosed {
    /** They are none. */
    SKIP,
    /** They move to the same local time of the next open day. */
    NEXT,
    /** They move to the same local time of the previous open day. */
    PREVIOUS,
    /** They stay; for schedules that only count open days. */
    RUN
}
