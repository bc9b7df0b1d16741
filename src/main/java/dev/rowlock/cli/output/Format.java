package dev.rowlock.cli.output;

/** Form in which a command shows what it was answered: {@code -o}. */
public enum Format {
    /** For people: a table, or what matters of one thing. */
    TABLE,
    /** The same with more columns. */
    WIDE,
    /** The answer of the API. A list is one answer, however many pages it took. */
    JSON,
    /** The same as YAML. */
    YAML,
    /** One name a line, as other commands take it. */
    NAME
}
