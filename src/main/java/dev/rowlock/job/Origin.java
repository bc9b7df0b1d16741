package dev.rowlock.job;

/**
 * Where a task comes from, as text that its retries and recoveries keep: empty for what the schedule asked for,
 * {@code run:…} for what somebody asked for, and {@code node:NAME} for the part that a node has in a broadcast. Where
 * somebody asked for the broadcast, {@code #} and the number of that request follow. What runs again names the task
 * that it repeats, so that nothing runs again twice.
 */
public final class Origin {

    private static final String NODE = "node:";
    private static final char REQUEST = '#';
    private static final String AGAIN = "run:again-";
    /** No number of a request begins like this. */
    private static final String PART_AGAIN = "#-";

    private Origin() {}

    /**
     * Of a node's part in a broadcast; what runs again does so in its parts.
     *
     * @param occurrence the task that the broadcast is made of
     * @param origin of that task
     */
    public static String ofNode(String node, long occurrence, String origin) {
        return isAgain(origin)
                ? partAgain(node, occurrence)
                : NODE + node + (origin.isEmpty() ? "" : REQUEST + Long.toString(occurrence, Character.MAX_RADIX));
    }

    /** Of a task that runs again because somebody asked for it. */
    public static String again(long task) {
        return AGAIN + task;
    }

    /** The same of a node's part in a broadcast: only that node runs it again. */
    public static String partAgain(String node, long task) {
        return NODE + node + PART_AGAIN + Long.toString(task, Character.MAX_RADIX);
    }

    /** Whether somebody asked for it to run again, so that it is late by nature. */
    public static boolean isAgain(String origin) {
        return origin.startsWith(AGAIN) || (isOfNode(origin) && origin.contains(PART_AGAIN));
    }

    /** Whether it is a node's part in a broadcast. */
    public static boolean isOfNode(String origin) {
        return origin.startsWith(NODE);
    }

    /** Whether the schedule asked for it, or for the broadcast that it is part of. */
    public static boolean isScheduled(String origin) {
        return origin.isEmpty() || (isOfNode(origin) && origin.indexOf(REQUEST) < 0);
    }

    /** The node that has this part in a broadcast; empty: it is none. */
    public static String node(String origin) {
        if (!isOfNode(origin)) {
            return "";
        }
        int end = origin.indexOf(REQUEST);
        return origin.substring(NODE.length(), end < 0 ? origin.length() : end);
    }

    /** What the parts of one broadcast have in common, apart from the fire time. */
    public static String request(String origin) {
        int start = origin.indexOf(REQUEST);
        return start < 0 ? "" : origin.substring(start);
    }
}
