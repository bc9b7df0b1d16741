package dev.rowlock.schedule;

/** Local times that a schedule asks for, in seconds since 1970 without regard to any zone. */
interface LocalTimes {

    /** Returns the first one at or after a local time, or {@link CronExpression#NONE}. */
    long atOrAfter(long local);

    /** Returns their number from one local time through another; counts by months or days. */
    long count(long from, long through);

    /** Returns whether all minutes that have one have the same seconds. */
    boolean hasEvenMinutes();
}
