package dev.rowlock.cli.output;

/** Form in which a command shows what it was answered: {@code -o}. */
public enum Format {
    /** Table for people, or what matters of one thing. */
    TABLE,
    /** Table with more columns. */
    WIDE,
    /** Answer of the API. A list is one answer, however many pages it took. */
    JSON,
    /** Answer of the API as YAML. */
    YAML,
    /** One name a line, as other commands take it. */
    NAME
}
