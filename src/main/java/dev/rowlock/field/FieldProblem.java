package dev.rowlock.field;

/**
 * Problem with one field that a person sent, and what would be right.
 *
 * @param field its path, as in {@code env.PATH}; empty when the whole is meant
 */
public record FieldProblem(String field, String message) {

    /** Returns this problem for an object that is a part of something else. */
    public FieldProblem in(String place) {
        return new FieldProblem(field.isEmpty() ? place : place + "." + field, message);
    }

    /** Returns the field of the whole object that this one is in. */
    public String top() {
        return field.split("[.\\[]", 2)[0];
    }
}
