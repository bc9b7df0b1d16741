package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.PackageTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A type's comment begins with a noun phrase, that of a method or constructor with a verb in the third person. */
class CommentVoiceTest {

    private static final Path SOURCES = Path.of("src/main/java/dev/rowlock");

    /** First words that begin neither a noun phrase nor a sentence with a verb in the third person. */
    private static final Set<String> NEVER = Set.of(
            "What",
            "Whether",
            "How",
            "Who",
            "Whoever",
            "Whom",
            "Whose",
            "Where",
            "Wherever",
            "When",
            "Which",
            "Whichever",
            "Why",
            "That",
            "Those",
            "These",
            "This",
            "It",
            "Of",
            "For",
            "By",
            "As",
            "So",
            "Null:",
            "False:",
            "True:",
            "Empty:",
            "Once",
            "Nobody",
            "Somebody");

    private static final Set<String> NEVER_OF_A_METHOD = Set.of("The", "A", "An", "All", "One", "Its", "No", "Each");

    /** Comment of a package, type, method or constructor that begins otherwise. */
    private record Offender(String place, String beginning) {

        @Override
        public String toString() {
            return place + ": " + beginning;
        }
    }

    @Test
    void comments_begin_with_a_noun_phrase_or_a_verb() throws IOException {
        List<Path> sources;
        try (Stream<Path> all = Files.walk(SOURCES)) {
            sources = all.filter(path -> path.toString().endsWith(".java")).toList();
        }
        List<Offender> found = offenders(SOURCES, sources);

        assertThat(sources).hasSizeGreaterThan(100);
        assertThat(found).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            /** Queue of results. */ class A {}                               |
            /** What is queued. */ package a;                                 | What is queued.
            /** The queue. */ class A {}                                      |
            /** The same queue. */ class A {}                                 | The same queue.
            /** What is queued. */ record A(int a) {}                         | What is queued.
            class A { /** How. */ enum B { /** What a constant is. */ C } }   | How.
            class A { /** Of the queue. */ A() {} }                           | Of the queue.
            class A { /** Returns its length. */ int a() { return 0; } }      |
            class A { /** The length. */ int a() { return 0; } }              | The length.
            class A { /** Null: none. */ Object a() { return this; } }        | Null: none.
            class A { /** So, it is. */ void a() {} }                         | So, it is.
            class A { /** @param b whether */ void a(boolean b) {} }          |
            class A { /** Whether it is. */ boolean a; }                      |
            class A { void a() {} /* What it does. */ }                       |
            """)
    void other_beginnings_are_found(String source, String beginning, @TempDir Path dir) throws IOException {
        Path file = Files.writeString(dir.resolve("A.java"), "\n" + source);

        List<Offender> found = offenders(dir, List.of(file));

        assertThat(found).isEqualTo(beginning == null ? List.of() : List.of(new Offender("A.java:2", beginning)));
    }

    private static List<Offender> offenders(Path root, List<Path> sources) throws IOException {
        List<Offender> found = new ArrayList<>();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask)
                    compiler.getTask(null, files, null, List.of(), null, files.getJavaFileObjectsFromPaths(sources));
            Trees trees = Trees.instance(task);
            for (CompilationUnitTree unit : task.parse()) {
                new Comments(trees, root.relativize(Path.of(unit.getSourceFile().getName())), found).scan(unit, null);
            }
        }
        return found;
    }

    private static boolean offends(boolean isType, String comment) {
        String word = comment.split("\\s+", 2)[0];
        String bare = word.replaceFirst("[,;.:]$", "");
        return NEVER.contains(word)
                || NEVER.contains(bare)
                || comment.startsWith("The same")
                || (!isType && NEVER_OF_A_METHOD.contains(bare));
    }

    /** Search of one file for offenders. */
    private static final class Comments extends TreePathScanner<Void, Void> {

        private final Trees trees;
        private final Path file;
        private final List<Offender> found;

        Comments(Trees trees, Path file, List<Offender> found) {
            this.trees = trees;
            this.file = file;
            this.found = found;
        }

        @Override
        public Void visitPackage(PackageTree room, Void unused) {
            check(room, true);
            return super.visitPackage(room, null);
        }

        @Override
        public Void visitClass(ClassTree type, Void unused) {
            check(type, true);
            return super.visitClass(type, null);
        }

        @Override
        public Void visitMethod(MethodTree method, Void unused) {
            check(method, false);
            return super.visitMethod(method, null);
        }

        private void check(Tree declaration, boolean isType) {
            String comment = trees.getDocComment(getCurrentPath());
            if (comment != null && offends(isType, comment.strip())) {
                CompilationUnitTree unit = getCurrentPath().getCompilationUnit();
                long start = trees.getSourcePositions().getStartPosition(unit, declaration);
                String place = file + ":" + unit.getLineMap().getLineNumber(start);
                String beginning =
                        Stream.of(comment.strip().split("\\s+")).limit(6).collect(Collectors.joining(" "));
                found.add(new Offender(place, beginning));
            }
        }
    }
}
