package dev.rowlock.job;

/**
 * What is wrong with one field of what a person sent, and what would be right.
 *
 * @param field its path, as in {@code env.PATH}; empty when the whole is meant
 */
public record FieldProblem(String field, String message) {

    /** The field of the whole object that it lies in. */
    String top() {
        return field.split("[.\\[]", 2)[0];
    }
}
