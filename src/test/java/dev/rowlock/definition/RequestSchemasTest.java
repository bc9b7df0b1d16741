package dev.rowlock.definition;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import dev.rowlock.field.FieldTable;
import dev.rowlock.support.HouseClasses;
import dev.rowlock.support.OpenApi;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/** The contract of the API says of bodies what the tables of fields do; none of them is left out, and no type. */
class RequestSchemasTest {

    /** Bodies that no table reads. */
    private static final Set<String> WITHOUT_TABLE = Set.of("Nothing", "SecretValue", "SignInWithToken");

    @Test
    void bodies_in_the_contract_are_as_the_tables_read_them() throws IOException {
        OpenApi contract = OpenApi.ofFile();
        SoftAssertions softly = new SoftAssertions();
        for (Map.Entry<String, ObjectNode> made : RequestSchemas.all().entrySet()) {
            String name = made.getKey();
            ObjectNode expected = comparable(made.getValue());
            ObjectNode said = comparable(contract.schema(name));
            Set<String> fields = new TreeSet<>(names(expected));
            fields.addAll(names(said));
            for (String field : fields) {
                softly.assertThat(said.path("properties").path(field))
                        .as(field + " of " + name + " in openapi.yaml")
                        .isEqualTo(expected.path("properties").path(field));
            }
            softly.assertThat(said.remove("properties")).isNotNull();
            expected.remove("properties");
            softly.assertThat(said)
                    .as(name + " in openapi.yaml, apart from its fields")
                    .isEqualTo(expected);
        }
        softly.assertAll();
    }

    @Test
    void every_body_in_the_contract_has_a_table() {
        Set<String> bodies = new TreeSet<>();
        OpenApi.ofFile()
                .calls()
                .forEach(call -> call.said()
                        .path("requestBody")
                        .findValuesAsText("$ref")
                        .forEach(reference -> bodies.add(reference.replaceFirst(".*/", ""))));
        bodies.removeAll(WITHOUT_TABLE);

        assertThat(bodies).isEqualTo(new TreeSet<>(RequestSchemas.all().keySet()));
    }

    /** Reads numbers as a parser does, and puts required fields into the order of the alphabet. */
    private static ObjectNode comparable(JsonNode schema) throws IOException {
        ObjectNode read = (ObjectNode) new ObjectMapper().readTree(schema.toString());
        for (JsonNode object : read.findParents("required")) {
            Set<String> required = new TreeSet<>();
            object.get("required").forEach(name -> required.add(name.asText()));
            ((ObjectNode) object).put("required", required.toString());
        }
        return read;
    }

    @Test
    void every_table_of_fields_is_in_a_schema() throws ReflectiveOperationException {
        List<Set<String>> told = new ArrayList<>();
        RequestSchemas.all().values().forEach(schema -> collect(schema, told));
        for (FieldTable<?> table : tables()) {
            Set<String> names = names(FieldSchemas.of(table));
            assertThat(told)
                    .as("the names of each schema; one must have all of " + names)
                    .anyMatch(some -> some.containsAll(names));
        }
    }

    @Test
    void every_field_says_what_may_be_written() throws ReflectiveOperationException {
        for (FieldTable<?> table : tables()) {
            for (dev.rowlock.field.Field<?> field : table.fields()) {
                assertThat(field.type().schema())
                        .as("FieldType.shown of the field " + field.name())
                        .isNotEmpty();
            }
        }
    }

    private static List<FieldTable<?>> tables() throws ReflectiveOperationException {
        List<FieldTable<?>> tables = new ArrayList<>();
        for (JavaClass type : HouseClasses.ALL) {
            for (JavaField found : type.getFields()) {
                if (found.getRawType().isEquivalentTo(FieldTable.class)) {
                    Field field = Class.forName(type.getName()).getDeclaredField(found.getName());
                    field.setAccessible(true);
                    tables.add((FieldTable<?>) field.get(null));
                }
            }
        }
        assertThat(tables).hasSizeGreaterThan(10);
        return tables;
    }

    private static void collect(JsonNode schema, List<Set<String>> told) {
        if (schema.has("properties")) {
            told.add(names(schema));
        }
        schema.forEach(inner -> collect(inner, told));
    }

    private static Set<String> names(JsonNode schema) {
        Set<String> names = new TreeSet<>();
        schema.path("properties").fieldNames().forEachRemaining(names::add);
        return names;
    }
}
