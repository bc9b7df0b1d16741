package dev.rowlock.field;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Fields of one kind of object, in the order of its JSON; each is a component of the record {@code R}. */
public final class FieldTable<R extends Record> {

    private static final int MOST_TOLD = 8;

    private final String what;
    private final Constructor<R> constructor;
    private final RecordComponent[] components;
    private final List<Field<?>> fields;
    private final Set<String> names;
    private final List<String> readOnly;

    /**
     * @param what whose fields these are, for people
     * @param readOnly what its JSON also says; ignored when read, so that what was got can be edited and put back
     */
    public FieldTable(String what, Class<R> type, List<Field<?>> fields, List<String> readOnly) {
        this.what = what;
        this.fields = fields;
        this.names = fields.stream().map(Field::name).collect(Collectors.toUnmodifiableSet());
        this.readOnly = readOnly;
        this.components = type.getRecordComponents();
        Set<String> held =
                Arrays.stream(components).map(RecordComponent::getName).collect(Collectors.toSet());
        if (!held.equals(names)) {
            throw new IllegalStateException("the fields of " + what + " are " + names + ", but it holds " + held);
        }
        try {
            Class<?>[] types =
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class[]::new);
            this.constructor = type.getDeclaredConstructor(types);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    public List<Field<?>> fields() {
        return fields;
    }

    /** Returns the further fields of its JSON, which are ignored when read. */
    public List<String> readOnly() {
        return readOnly;
    }

    public boolean knows(String name) {
        return names.contains(name) || readOnly.contains(name);
    }

    /** @param but those that may be there all the same */
    public void refuseUnknown(ObjectNode node, Set<String> but, Place whole) {
        List<String> known = Stream.concat(fields.stream().map(Field::name), readOnly.stream())
                .toList();
        List<String> all = Stream.concat(but.stream().sorted(), fields.stream().map(Field::name))
                .toList();
        for (Iterator<String> sent = node.fieldNames(); sent.hasNext(); ) {
            String name = sent.next();
            if (!knows(name) && !but.contains(name)) {
                String meant = Suggestion.of(name, known);
                whole.field(name).refuse("is not a field of " + what + (meant.isEmpty() ? among(all) : meant));
            }
        }
    }

    /** Lists the names, if they are few enough. */
    private static String among(List<String> all) {
        return all.size() > MOST_TOLD ? "" : "; there are " + String.join(", ", all);
    }

    /** Reads the acceptable fields, with defaults for the rest; collects problems with the others. */
    public R read(ObjectNode node, Place whole) {
        Map<String, @Nullable Object> values = new HashMap<>();
        fields.forEach(field -> values.put(field.name(), field.read(node, whole)));
        return make(values);
    }

    /** Writes all fields, including defaults. */
    public ObjectNode write(R object) {
        Map<String, @Nullable Object> values = values(object);
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        fields.forEach(field -> node.set(field.name(), field.write(values.get(field.name()))));
        return node;
    }

    /** Writes what is to be stored: without unset fields that a node may not know. */
    public ObjectNode writeSparse(R object) {
        ObjectNode node = write(object);
        Map<String, @Nullable Object> values = values(object);
        fields.stream().filter(field -> field.isUnset(values.get(field.name()))).forEach(f -> node.remove(f.name()));
        return node;
    }

    /** Returns an object that differs in one value. */
    public R with(R object, String name, @Nullable Object value) {
        Map<String, @Nullable Object> values = values(object);
        values.put(name, value);
        return make(values);
    }

    public Map<String, @Nullable Object> values(R object) {
        Map<String, @Nullable Object> values = new HashMap<>();
        try {
            for (RecordComponent component : components) {
                values.put(component.getName(), component.getAccessor().invoke(object));
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
        return values;
    }

    private R make(Map<String, @Nullable Object> values) {
        try {
            return constructor.newInstance(
                    Arrays.stream(components).map(c -> values.get(c.getName())).toArray());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
