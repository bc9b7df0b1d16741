package dev.rowlock.job;

/**
 * What is wrong with one field of what a person sent, and what would be right.
 *
 * @param field its path, as in {@code env.PATH}; empty when the whole is meant
 */
public record FieldProblem(String field, String message) {

    /** The same, where its object is a part of something else. */
    public FieldProblem in(String place) {
        return new FieldProblem(field.isEmpty() ? place : place + "." + field, message);
    }

    /** The field of the whole object that it lies in. */
    String top() {
        return field.split("[.\\[]", 2)[0];
    }
}
