package dev.rowlock.job;

/**
 * Where a task comes from, as text that its retries and recoveries keep: empty for what the schedule asked for,
 * {@code run:…} for what somebody asked for, and {@code node:NAME} for the part that a node has in a broadcast. Where
 * somebody asked for the broadcast, {@code #} and the number of that request follow.
 */
public final class Origin {

    private static final String NODE = "node:";
    private static final char REQUEST = '#';

    private Origin() {}

    /**
     * Of a node's part in a broadcast.
     *
     * @param occurrence the task that the broadcast is made of
     * @param origin of that task
     */
    public static String ofNode(String node, long occurrence, String origin) {
        return NODE + node + (origin.isEmpty() ? "" : REQUEST + Long.toString(occurrence, Character.MAX_RADIX));
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
