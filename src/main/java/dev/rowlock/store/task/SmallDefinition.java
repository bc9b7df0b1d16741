package dev.rowlock.store.task;

/** A definition for its schedule and its policies, without what may be large in it. */
public final class SmallDefinition {

    private static final String WITHOUT = """
            json_set(json_remove(%s, '$.description', '$.labels', '$.workdir', '$.env', '$.stdin'),
                     '$.command', '-')""";

    private SmallDefinition() {}

    /** @param column that holds the whole definition */
    public static String of(String column) {
        return WITHOUT.formatted(column);
    }
}
