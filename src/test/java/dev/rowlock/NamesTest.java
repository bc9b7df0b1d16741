package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The name of a type means one type, wherever it is declared. */
class NamesTest {

    private static final Path SOURCES = Path.of("src/main/java/dev/rowlock");

    @Test
    void a_name_means_one_type() throws IOException {
        List<Path> sources;
        try (Stream<Path> all = Files.walk(SOURCES)) {
            sources = all.filter(path -> path.toString().endsWith(".java")).toList();
        }

        assertThat(sources).hasSizeGreaterThan(100);
        assertThat(ambiguous(SOURCES, sources)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            class A {}                                   | class B {}                            |
            class A {}                                   | enum A {}                             | A: a/X.java, b/Y.java
            class A { private record C() {} }            | interface B { interface C {} }        | C: a/X.java, b/Y.java
            class A { record C() {} static class D {} }  | class C { enum E { D } }              | C: a/X.java, b/Y.java
            class A { class C { class D {} } }           | class B { void m() { class D {} } }   | D: a/X.java, b/Y.java
            class A { enum B { C } enum D { C } }        | record C(int a) {}                    |
            class A { record B() {} class C { class B {} } } | class D { Object d = new Object() {}; } | B: a/X.java, a/X.java
            """)
    void a_name_of_two_types_is_found(String one, String other, String finding, @TempDir Path dir) throws IOException {
        List<Path> sources = List.of(dir.resolve("a/X.java"), dir.resolve("b/Y.java"));
        Files.createDirectories(sources.get(0).getParent());
        Files.createDirectories(sources.get(1).getParent());
        Files.writeString(sources.get(0), one);
        Files.writeString(sources.get(1), other);

        assertThat(ambiguous(dir, sources)).isEqualTo(finding == null ? List.of() : List.of(finding));
    }

    private static List<String> ambiguous(Path root, List<Path> sources) throws IOException {
        Map<String, List<String>> places = new TreeMap<>();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask)
                    compiler.getTask(null, files, null, List.of(), null, files.getJavaFileObjectsFromPaths(sources));
            for (CompilationUnitTree unit : task.parse()) {
                String file =
                        root.relativize(Path.of(unit.getSourceFile().getName())).toString();
                new Types(file, places).scan(unit, null);
            }
        }
        return places.entrySet().stream()
                .filter(name -> name.getValue().size() > 1)
                .map(name -> name.getKey() + ": " + String.join(", ", name.getValue()))
                .toList();
    }

    /** Search of one file for the types that it declares, also within others and within methods. */
    private static final class Types extends TreeScanner<Void, Void> {

        private final String file;
        private final Map<String, List<String>> places;

        Types(String file, Map<String, List<String>> places) {
            this.file = file;
            this.places = places;
        }

        @Override
        public Void visitClass(ClassTree type, Void unused) {
            String name = type.getSimpleName().toString();
            if (!name.isEmpty()) {
                places.computeIfAbsent(name, any -> new ArrayList<>()).add(file);
            }
            return super.visitClass(type, null);
        }
    }
}
