package dev.rowlock.field;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Field of an object that people write as JSON: all that is known of it.
 *
 * @param otherwise its value where none is written, or none that is acceptable
 * @param about what it means, to end a sentence with
 * @param sparse whether it is stored only if it says something else than {@code otherwise}, so that nodes of a version
 *     that does not know it understand what does not use it
 */
public record Field<T>(
        String name, FieldType<T> type, @Nullable T otherwise, boolean required, String about, boolean sparse) {

    public static <T> Field<T> required(String name, FieldType<T> type, T none, String about) {
        return new Field<>(name, type, none, true, about, false);
    }

    public static <T> Field<T> optional(String name, FieldType<T> type, @Nullable T otherwise, String about) {
        return new Field<>(name, type, otherwise, false, about, false);
    }

    /** Creates a field that the first version did not know. */
    public static <T> Field<T> added(String name, FieldType<T> type, @Nullable T otherwise, String about) {
        return new Field<>(name, type, otherwise, false, about, true);
    }

    /** Returns whether the field may be left out of what is stored. */
    boolean isUnset(@Nullable Object value) {
        return sparse && Objects.equals(value, otherwise);
    }

    /** Reads an acceptable value, else the default. JSON's null means the same as absence. */
    @Nullable
    T read(ObjectNode node, Place whole) {
        JsonNode value = node.get(name);
        int problems = whole.problems().size();
        T read = value == null || value.isNull() ? null : type.read(value, whole.field(name));
        if (read == null && required && whole.problems().size() == problems) {
            whole.field(name).refuse("is required: " + about);
        }
        return read == null ? otherwise : read;
    }

    /** @param value one that {@link #read} has answered */
    @SuppressWarnings("unchecked")
    public JsonNode write(@Nullable Object value) {
        return value == null ? NullNode.getInstance() : type.write((T) value);
    }
}
