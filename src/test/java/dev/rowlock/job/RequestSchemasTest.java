package dev.rowlock.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** No table of fields is left out of what is told of bodies, and no field without its type. */
class RequestSchemasTest {

    @Test
    void every_table_of_fields_is_in_a_schema() throws ReflectiveOperationException {
        List<Set<String>> told = new ArrayList<>();
        RequestSchemas.all().values().forEach(schema -> collect(schema, told));
        for (FieldTable<?> table : tables()) {
            Set<String> names = names(table.schema());
            assertThat(told)
                    .as("the names of each schema; one must have all of " + names)
                    .anyMatch(some -> some.containsAll(names));
        }
    }

    @Test
    void every_field_says_what_may_be_written() throws ReflectiveOperationException {
        for (FieldTable<?> table : tables()) {
            for (dev.rowlock.job.Field<?> field : table.fields()) {
                assertThat(field.type().schema())
                        .as("FieldType.shown of the field " + field.name())
                        .isNotEmpty();
            }
        }
    }

    private static List<FieldTable<?>> tables() throws ReflectiveOperationException {
        List<FieldTable<?>> tables = new ArrayList<>();
        for (JavaClass type : new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("dev.rowlock.job")) {
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
