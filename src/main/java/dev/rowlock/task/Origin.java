package dev.rowlock.task;

import com.fasterxml.jackson.annotation.JsonValue;

/**
 * Origin of a task: who requested it, as a value that its retries and recoveries keep. Its text, which tables and the
 * API show, is made and parsed here alone: empty for scheduled tasks, {@code run:…} for requested ones, {@code
 * backfill:ID} for those of a backfill, and {@code node:NAME} for the part that a node has in a broadcast. Where the
 * broadcast was requested, {@code #} and the number of that request follow. A rerun names the task that it repeats, so
 * that nothing runs again twice.
 */
public record Origin(@JsonValue String text) {

    /** Origin of scheduled tasks. */
    public static final Origin SCHEDULE = new Origin("");

    private static final String RUN = "run:";
    private static final String NODE = "node:";
    private static final String BACKFILL = "backfill:";
    private static final char REQUEST = '#';
    private static final String AGAIN = "run:again-";
    /** Beginning that no number of a request has. */
    private static final String PART_AGAIN = "#-";
    /** Likewise, with the number of a backfill behind it. */
    private static final String PART_OF_BACKFILL = "#+";

    /** Returns the origin with this text. */
    public static Origin of(String text) {
        return text.isEmpty() ? SCHEDULE : new Origin(text);
    }

    /** Returns the origin of a requested run, under the key that makes the request unique. */
    public static Origin run(String key) {
        return new Origin(RUN + key);
    }

    /** Returns the origin of the tasks of a backfill. */
    public static Origin backfill(long id) {
        return new Origin(BACKFILL + id);
    }

    /** Returns the origin of a requested rerun of a task. */
    public static Origin again(long task) {
        return new Origin(AGAIN + task);
    }

    /** Returns the origin of a rerun of a node's part in a broadcast: only that node runs it again. */
    public static Origin partAgain(String node, long task) {
        return new Origin(NODE + node + PART_AGAIN + Long.toString(task, Character.MAX_RADIX));
    }

    /**
     * Returns the origin of a node's part in a broadcast of this origin; a rerun runs again in its parts.
     *
     * @param occurrence the task that the broadcast is made of
     */
    public Origin part(String node, long occurrence) {
        if (isBackfill()) {
            return new Origin(NODE + node + PART_OF_BACKFILL + text.substring(BACKFILL.length()));
        }
        return isRerun()
                ? partAgain(node, occurrence)
                : new Origin(
                        NODE + node + (isSchedule() ? "" : REQUEST + Long.toString(occurrence, Character.MAX_RADIX)));
    }

    /** Returns whether it is scheduled, for one node. */
    public boolean isSchedule() {
        return text.isEmpty();
    }

    /** Returns whether it was requested, and for no broadcast. */
    public boolean isRun() {
        return text.startsWith(RUN);
    }

    /** Returns whether it is a requested rerun, so that it is late by nature. */
    public boolean isRerun() {
        return text.startsWith(AGAIN) || (isPart() && text.contains(PART_AGAIN));
    }

    /** Returns whether it belongs to a backfill. */
    public boolean isBackfill() {
        return text.startsWith(BACKFILL) || (isPart() && text.contains(PART_OF_BACKFILL));
    }

    /** Returns the number of the backfill that it belongs to. Call if there is one. */
    public long backfill() {
        int start = isPart() ? text.indexOf(PART_OF_BACKFILL) + PART_OF_BACKFILL.length() : BACKFILL.length();
        return Long.parseLong(text.substring(start));
    }

    /** Returns whether somebody requested it after its fire time, so that it is late by nature. */
    public boolean isOfThePast() {
        return isRerun() || isBackfill();
    }

    /** Returns whether it is a node's part in a broadcast. */
    public boolean isPart() {
        return text.startsWith(NODE);
    }

    /** Returns whether it is scheduled, or part of a scheduled broadcast. */
    public boolean isScheduled() {
        return isSchedule() || (isPart() && text.indexOf(REQUEST) < 0);
    }

    /** Returns whether its fire time is one of the schedule, and not the time of a request. */
    public boolean hasFireTime() {
        return isScheduled() || isOfThePast();
    }

    /** Returns the node that has this part in a broadcast; empty: it is none. */
    public String node() {
        if (!isPart()) {
            return "";
        }
        int end = text.indexOf(REQUEST);
        return text.substring(NODE.length(), end < 0 ? text.length() : end);
    }

    /** Returns what the parts of one broadcast share besides the fire time. */
    public String request() {
        int start = text.indexOf(REQUEST);
        return start < 0 ? "" : text.substring(start);
    }

    @Override
    public String toString() {
        return text;
    }
}
