package dev.rowlock.task.history;

/**
 * Conditions on the text of an {@link dev.rowlock.task.Origin} in SQL: the rules of that type, repeated here. Each
 * takes the alias of a row of {@code task} or {@code task_history}.
 */
public final class OriginSql {

    private OriginSql() {}

    /** Returns the condition that it is a node's part in a broadcast. */
    public static String isPart(String row) {
        return row + ".origin like 'node:%'";
    }

    /** Returns the node that has this part in a broadcast; meaningless for other rows. */
    public static String node(String row) {
        return "substr(substring_index(" + row + ".origin, '#', 1), 6)";
    }

    /** Returns the condition that it is scheduled, or part of a scheduled broadcast. */
    public static String isScheduled(String row) {
        return "(" + row + ".origin = '' or " + isPart(row) + " and locate('#', " + row + ".origin) = 0)";
    }

    /** Returns the condition that it is a rerun, requested by somebody. */
    public static String isRerun(String row) {
        return "(" + row + ".origin like 'run:again-%' or " + row + ".origin like 'node:%#-%')";
    }

    /** Returns the condition that it belongs to a backfill. */
    public static String isBackfill(String row) {
        return "(" + row + ".origin like 'backfill:%' or " + row + ".origin like 'node:%#+%')";
    }

    /** Returns the condition that somebody requested it after its fire time, so that it is late by nature. */
    public static String isOfThePast(String row) {
        return "(" + isRerun(row) + " or " + isBackfill(row) + ")";
    }

    /** Returns the condition that a row repeats another one. */
    public static String repeats(String row, String original) {
        return "(" + row + ".origin = concat('run:again-', " + original + ".id) or " + isPart(original) + " and " + row
                + ".origin = concat(substring_index(" + original + ".origin, '#', 1), '#-', lower(conv(" + original
                + ".id, 10, 36))))";
    }
}
