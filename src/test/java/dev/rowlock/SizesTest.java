package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rooms, files, methods, constructors and lines are small enough to be read. Records may be wider: they are data. */
class SizesTest {

    private static final int FILE_LINES = 500;
    private static final int METHOD_LINES = 50;
    private static final int CONSTRUCTOR_PARAMETERS = 12;
    private static final int COLUMNS = 120;
    private static final int ROOM_FILES = 35;

    @Test
    void nothing_is_too_large() throws IOException {
        List<Path> sources;
        try (Stream<Path> all = Files.walk(Path.of("src/main/java"))) {
            sources = all.filter(path -> path.toString().endsWith(".java")).toList();
        }

        assertThat(sources).hasSizeGreaterThan(100);
        assertThat(tooLarge(sources)).isEmpty();
    }

    @Test
    void no_room_has_too_many_files() throws IOException {
        try (Stream<Path> all = Files.walk(Path.of("src/main/java"))) {
            Map<Path, Long> files = all.filter(path -> path.toString().endsWith(".java"))
                    .collect(Collectors.groupingBy(Path::getParent, Collectors.counting()));
            assertThat(files).hasSizeGreaterThan(30);
            files.values().removeIf(count -> count <= ROOM_FILES);
            assertThat(files).isEmpty();
        }
    }

    @Test
    void no_part_of_the_page_is_too_large() throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> all = Files.walk(Path.of("src/main/resources/ui"))) {
            for (Path part : all.filter(path -> path.toString().matches(".*\\.(js|css|html)"))
                    .toList()) {
                addLines(part, found);
            }
        }
        assertThat(found).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            void m() {%s}                                                     | 48 | m: 51 lines
            void m() {%s}                                                     | 47 |
            A(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l, int m) {%s} | 1 | <init>: 13 parameters
            A(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l) {%s} | 1 |
            record R(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l, int m) {%s R {}} | 1 |
            """)
    void what_is_too_large_is_found(String method, int lines, String finding, @TempDir Path dir) throws IOException {
        Path file = dir.resolve("A.java");
        Files.writeString(file, "class A {\n" + method.formatted("\n;".repeat(lines + 1) + "\n") + "\n}\n");

        assertThat(tooLarge(List.of(file))).isEqualTo(finding == null ? List.of() : List.of("A.java: " + finding));
    }

    private static List<String> tooLarge(List<Path> sources) throws IOException {
        List<String> found = new ArrayList<>();
        for (Path source : sources) {
            addLines(source, found);
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask)
                    compiler.getTask(null, files, null, List.of(), null, files.getJavaFileObjectsFromPaths(sources));
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            task.parse().forEach(unit -> new Methods(unit, positions, found).scan(unit, null));
        }
        return found;
    }

    private static void addLines(Path source, List<String> found) throws IOException {
        List<String> lines = Files.readAllLines(source);
        if (lines.size() > FILE_LINES) {
            found.add(source.getFileName() + ": " + lines.size() + " lines");
        }
        lines.stream()
                .filter(line -> line.length() > COLUMNS)
                .forEach(line -> found.add(source.getFileName() + ": " + line.length() + " columns: " + line));
    }

    /** Finds the methods of one file that are too long, and constructors that take too much. */
    private static final class Methods extends TreeScanner<Void, Void> {

        private final CompilationUnitTree unit;
        private final SourcePositions positions;
        private final List<String> found;
        private boolean ofRecord;

        Methods(CompilationUnitTree unit, SourcePositions positions, List<String> found) {
            this.unit = unit;
            this.positions = positions;
            this.found = found;
        }

        @Override
        public Void visitClass(ClassTree type, Void unused) {
            boolean outer = ofRecord;
            ofRecord = type.getKind() == Tree.Kind.RECORD;
            super.visitClass(type, null);
            ofRecord = outer;
            return null;
        }

        @Override
        public Void visitMethod(MethodTree method, Void unused) {
            String name = Path.of(unit.getSourceFile().getName()).getFileName() + ": " + method.getName() + ": ";
            LineMap lines = unit.getLineMap();
            long length = lines.getLineNumber(positions.getEndPosition(unit, method))
                    - lines.getLineNumber(positions.getStartPosition(unit, method))
                    + 1;
            if (length > METHOD_LINES) {
                found.add(name + length + " lines");
            }
            if (!ofRecord
                    && method.getReturnType() == null
                    && method.getParameters().size() > CONSTRUCTOR_PARAMETERS) {
                found.add(name + method.getParameters().size() + " parameters");
            }
            return super.visitMethod(method, null);
        }
    }
}
