package dev.rowlock.task.store;

/** Definition with its schedule and its policies, without the parts that may be large. */
public final class SmallDefinition {

    private static final String WITHOUT = """
            json_set(json_remove(%s, '$.description', '$.labels', '$.workdir', '$.env', '$.stdin'),
                     '$.command', '-')""";

    private SmallDefinition() {}

    /**
     * Returns the expression for a small definition.
     *
     * @param column that holds the whole definition
     */
    public static String of(String column) {
        return WITHOUT.formatted(column);
    }
}
