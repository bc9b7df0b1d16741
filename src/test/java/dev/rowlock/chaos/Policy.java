package dev.rowlock.chaos;

import java.util.Locale;

/** What jobs may ask for, and operators change; a run can do without some of it, to find out what a violation needs. */
enum Policy {
    OVERLAP,
    MISFIRE,
    RETRY,
    DEADLINE,
    JITTER,
    MAX_RUNS,
    PRIORITY,
    GROUP,
    NODES,
    MAX_PER_NODE,
    BROADCAST,
    /** How a command is run: niceness, umask, limits. */
    HOW,
    /** Policies of jobs are changed while they run. */
    EDITS,
    /** Nodes are drained. */
    DRAIN,
    /** Pauses that end by themselves, and of many jobs at once. */
    PAUSES,
    /** All runs of a job are killed. */
    KILLS,
    /** Runs by hand that differ from their job. */
    RUNS,

    // Drawn by FurtherRequests.

    /** Runs by hand that fail, of jobs that ask for retries. */
    RETRIED_RUNS,
    /** Reruns of what went wrong; some are killed, and asked for again. */
    RERUNS,
    /** Tasks that wait are stopped, and jobs with tasks that wait are deleted. */
    DELETIONS,
    /** Groups have a limit of 0 until tasks wait behind it. */
    STOPPED_GROUPS,
    /** A node that has few slots at times, and runs by hand that fill it. */
    FULL_NODE,
    /** Pauses of many jobs that end together, at a fire time. */
    PAUSES_TOGETHER,

    // Drawn by ScheduleDraw, and by LaterRequests.

    /** Schedules of several lines, with zones and variables of their own. */
    LINES,
    /** Calendars, which operators change. */
    CALENDARS,
    /** Commands that decline at times. */
    DECLINED,
    /** Occurrences are to finish by some time, and people are told if they do not. */
    FINISH_BY,
    /** Freezes, which operators make, change and end. */
    FREEZES,
    /** Backfills, some of which are cancelled. */
    BACKFILLS;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
