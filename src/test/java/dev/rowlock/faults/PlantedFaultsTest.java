package dev.rowlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.faults.FoldedText.Span;
import dev.rowlock.faults.Operator.Change;
import dev.rowlock.faults.Sources.DoesNotApply;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlantedFaultsTest {

    @TempDir
    Path project;

    @BeforeEach
    void a_program_of_three_files() throws IOException {
        write(
                "src/main/java/a/One.java",
                "package a;\n\npublic class One {\n    int n() {\n        return 1;\n    }\n}\n");
        write("src/main/resources/ui/page.js", "export const most = 5;\n");
        write("sql/V1__schema.sql", "select 1;\n");
    }

    @Test
    void every_fault_of_the_list_still_applies() throws IOException {
        List<Fault> faults = FaultList.read(FaultList.FILE);

        assertThat(faults).hasSizeGreaterThanOrEqualTo(40);
        assertThat(PlantedFaults.notApplying(new Sources(Path.of("").toAbsolutePath()), faults))
                .isEmpty();
        assertThat(faults).extracting(Fault::area).containsAll(FaultList.AREAS);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            a.b(c, d);      | a.b(c,  d)   | 1
            if (a < b) {    | if(a<b){     | 1
            return a;       | returna;     | 0
            max = 1; x = 1; | x = 1;       | 1
            a(); a();       | a();         | 2
            """)
    void white_space_between_words_alone_counts(String text, String wanted, int times) {
        assertThat(FoldedText.of(text).find(wanted)).hasSize(times);
    }

    @Test
    void what_is_found_in_a_wrapped_text_is_what_was_there() {
        String text = "one\nfoo(\n    a,\n    b);\ntwo\n";

        Span span = FoldedText.of(text).find("foo(a, b);").get(0);

        assertThat(text.substring(span.from(), span.to())).isEqualTo("foo(\n    a,\n    b);");
        assertThat(span.lines(text)).containsExactly(2, 4);
    }

    @Test
    void a_planted_source_is_compiled_elsewhere_and_the_source_stays() throws Exception {
        Fault fault = fault("**/One.java", "return 1;", "return 2;");
        Planting planting = new Planting(project, new Sources(project), List.of());

        Path classes = planting.plant(fault);

        assertThat(classes).isEqualTo(project.resolve("target/faults/x/classes"));
        assertThat(classes.resolve("a/One.class")).isRegularFile();
        assertThat(project.resolve("target/faults/x/java/a/One.java")).content().contains("return 2;");
        assertThat(project.resolve("src/main/java/a/One.java")).content().contains("return 1;");
    }

    @Test
    void what_is_no_source_is_copied_to_where_the_class_path_finds_it() throws Exception {
        Planting planting = new Planting(project, new Sources(project), List.of());

        assertThat(planting.plant(fault("**/page.js", "most = 5", "most = 6")).resolve("ui/page.js"))
                .hasContent("export const most = 6;");
        assertThat(planting.plant(fault("**/V1__schema.sql", "1", "2")).resolve("db/migration/V1__schema.sql"))
                .hasContent("select 2;");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            **/Two.java | return 1; | return 2; | x: **/Two.java matches no files
            **/*        | return 1; | return 2; | x: **/* matches 3 files
            **/One.java | return 3; | return 2; | x: its text stands no times in src/main/java/a/One.java
            **/One.java | One       | Two       | does not compile
            **/One.java | n         | m         | m
            """)
    void a_fault_that_does_not_apply_is_named(String file, String text, String with, String why) throws IOException {
        Planting planting = new Planting(project, new Sources(project), List.of());
        Fault fault = fault(file, text, with);
        if (why.length() == 1) {
            assertThat(PlantedFaults.notApplying(new Sources(project), List.of(fault)))
                    .isEmpty();
            return;
        }
        assertThatThrownBy(() -> planting.plant(fault))
                .isInstanceOf(DoesNotApply.class)
                .hasMessageContaining(why);
    }

    @Test
    void an_entry_has_all_its_fields_or_is_refused_with_its_line() {
        String entry = """
                # said of it
                id: x
                area: cli
                origin: drawn
                kind: call left out
                says: Something is wrong.
                file: **/A.java
                text: a();
                  b();
                with:
                tests: *Test, PageTest
                """;

        assertThat(FaultList.parse(entry))
                .containsExactly(new Fault(
                        "x",
                        "cli",
                        "drawn",
                        "call left out",
                        "Something is wrong.",
                        "**/A.java",
                        "a();\nb();",
                        "",
                        List.of("*Test", "PageTest")));
        assertThatThrownBy(() -> FaultList.parse(entry.replace("kind: call left out\n", "")))
                .hasMessage("line 11 of the list of faults ends an entry without kind");
        assertThatThrownBy(() -> FaultList.parse(entry + "\n" + entry)).hasMessage("two faults have the id x");
    }

    @Test
    void covering_tests_come_cheapest_first_after_those_that_are_named() throws IOException {
        Path file = project.resolve("covering.tsv");
        Covering written = new Covering();
        written.took("DearTest", 30);
        written.took("CheapTest", 0.5);
        written.took("FileTest", 60);
        written.covers("x", Set.of("DearTest", "CheapTest", "GoneTest", "FileTest"));
        written.write(file);
        Fault fault = new Fault("x", "cli", "drawn", "", "", "**/File.java", "", "", List.of("Added*", "NamedTest"));
        Set<String> existing = Set.of("CheapTest", "DearTest", "AddedTest", "OtherTest", "FileTest", "NamedTest");

        assertThat(Covering.read(file).classes(fault, existing))
                .containsExactly("NamedTest", "FileTest", "CheapTest", "AddedTest", "DearTest");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            CONDITION_NEGATED   | if (a(b) > 1) {            | if (!(a(b) > 1)) {
            CONDITION_NEGATED   | return a && b;             | return !(a && b);
            COMPARISON_SHIFTED  | if (a < b) {               | if (a <= b) {
            COMPARISON_SHIFTED  | where t.due_at >= :now     | where t.due_at > :now
            GUARD_DROPPED       | if (a) {~return;~}         | ''
            GUARD_DROPPED       | and t.launch_id = v.launch | ''
            ORDER_CHANGED       | order by a, b limit 1      | order by b, a limit 1
            ORDER_CHANGED       | ~  lock(a);~  read(b);     | read(b); lock(a);
            EXCEPTION_SWALLOWED | catch (E e) {~throw e;     | ''
            CONSTANT_CHANGED    | limit(5);                  | limit(6);
            CONSTANT_CHANGED    | millis(1000);              | millis(2000);
            CALL_LEFT_OUT       | a();~  b.c(d);             | ''
            """)
    void an_operator_makes_code_wrong_in_its_way(Operator operator, String lines, String with) {
        List<Change> changes = operator.find(List.of(lines.split("~", -1)));

        assertThat(changes).hasSize(1);
        assertThat(String.join(" ", changes.get(0).with()).strip().replaceAll("\\s+", " "))
                .isEqualTo(with);
    }

    @Test
    void a_seed_draws_the_same_faults_again() throws IOException {
        assertThat(drawn(7)).isEqualTo(drawn(7)).isNotEqualTo(drawn(8));
    }

    private static String drawn(long seed) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new Drawing(new Sources(Path.of("").toAbsolutePath()), seed)
                .print(new PrintStream(out, true, StandardCharsets.UTF_8));
        return out.toString(StandardCharsets.UTF_8);
    }

    private void write(String file, String text) throws IOException {
        Files.createDirectories(project.resolve(file).getParent());
        Files.writeString(project.resolve(file), text);
    }

    private static Fault fault(String file, String text, String with) {
        return new Fault("x", "cli", "by hand", "kind", "Something is wrong.", file, text, with, List.of());
    }
}
