package dev.rowlock;

import com.sun.source.tree.BlockTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.StatementTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Count of the house by rooms, for {@code scripts/house}, which runs this file as it is: it uses the JDK alone. */
final class HouseCount {

    private static final List<String> SOURCES = List.of("src/main/java", "src/test/java", "src/bench/java");
    private static final String RULES = "src/test/java/dev/rowlock/HouseRules.java";

    /** Quoted text, which may hold what looks like a comment, or a comment. */
    private static final Pattern QUOTED_OR_COMMENT = Pattern.compile(
            "(\"\"\"(?:[^\"\\\\]|\\\\(?s:.)|\"(?!\"\"))*+\"\"\"|\"(?:[^\"\\\\]|\\\\.)*+\"|'(?:[^'\\\\]|\\\\.)*+')"
                    + "|//.*|/\\*(?:[^*]|\\*(?!/))*+\\*/");

    private HouseCount() {}

    /** Size of one file, or of many. */
    record Size(long files, long lines, long code, long statements) {

        static final Size NOTHING = new Size(0, 0, 0, 0);

        Size plus(Size other) {
            return new Size(files + other.files, lines + other.lines, code + other.code, statements + other.statements);
        }

        private String row(String name) {
            return String.format(Locale.ROOT, "%-24s%,8d%,10d%,10d%,12d", name, files, lines, code, statements);
        }

        private String ratio(Size before) {
            return String.format(
                    Locale.ROOT,
                    "%-24s%8.2f%10.2f%10.2f%12.2f",
                    "  ratio",
                    (double) files / before.files,
                    (double) lines / before.lines,
                    (double) code / before.code,
                    (double) statements / before.statements);
        }
    }

    /**
     * Prints the count.
     *
     * @param args the checkout whose list of rooms gives the order; one to compare it with, if any
     */
    public static void main(String[] args) throws IOException {
        Path home = Path.of(args[0]);
        List<String> rooms = rooms(home.resolve(RULES));
        Map<String, Size> before = args.length == 1 ? Map.of() : printed(Path.of(args[1]), rooms);
        printed(home, rooms).forEach((source, size) -> {
            Size then = before.getOrDefault(source, Size.NOTHING);
            if (then.files() > 0) {
                System.out.println(then.row(source + " before"));
                System.out.println(size.row(source));
                System.out.println(size.ratio(then));
            }
        });
    }

    /** Prints what a checkout has, and returns its totals. */
    private static Map<String, Size> printed(Path checkout, List<String> rooms) throws IOException {
        System.out.printf("%-24s%8s%10s%10s%12s%n", checkout.getFileName(), "files", "lines", "code", "statements");
        Map<String, Size> totals = new TreeMap<>(Comparator.comparing(SOURCES::indexOf));
        for (String source : SOURCES) {
            Map<String, Size> sizes = sizes(checkout.resolve(source));
            totals.put(source, sizes.values().stream().reduce(Size.NOTHING, Size::plus));
            if (totals.size() == 1) {
                sizes.keySet().stream()
                        .sorted(Comparator.<String>comparingInt(room -> Math.floorMod(rooms.indexOf(room), 1_000))
                                .thenComparing(Comparator.naturalOrder()))
                        .forEach(room -> System.out.println(sizes.get(room).row(room)));
            }
        }
        totals.forEach((source, size) -> System.out.println(size.row(source)));
        System.out.println();
        return totals;
    }

    /** Counts what lies below a source directory, by room; the base package is the room {@code .}. */
    static Map<String, Size> sizes(Path source) throws IOException {
        Map<String, Size> sizes = new TreeMap<>();
        for (CompilationUnitTree unit : parsed(source)) {
            String name = String.valueOf(unit.getPackageName());
            sizes.merge(name.replaceFirst("^dev\\.rowlock(\\.|$)", "").replaceFirst("^$", "."), size(unit), Size::plus);
        }
        return sizes;
    }

    private static Size size(CompilationUnitTree unit) throws IOException {
        String text = unit.getSourceFile().getCharContent(true).toString();
        String code = QUOTED_OR_COMMENT.matcher(text).replaceAll("$1");
        long[] statements = {0};
        new TreeScanner<Void, Void>() {
            @Override
            public Void scan(Tree tree, Void unused) {
                if (tree instanceof StatementTree && !(tree instanceof BlockTree)) {
                    statements[0]++;
                }
                return super.scan(tree, null);
            }
        }.scan(unit, null);
        return new Size(
                1,
                text.lines().count(),
                code.lines().filter(line -> !line.isBlank()).count(),
                statements[0]);
    }

    /** Reads the rooms in their order: the texts in the list of the rules. */
    private static List<String> rooms(Path rules) throws IOException {
        List<String> rooms = new ArrayList<>();
        new TreeScanner<Void, Boolean>() {
            @Override
            public Void visitVariable(VariableTree variable, Boolean unused) {
                return super.visitVariable(variable, variable.getName().contentEquals("ROOMS"));
            }

            @Override
            public Void visitLiteral(LiteralTree literal, Boolean isRoom) {
                if (isRoom) {
                    rooms.add((String) literal.getValue());
                }
                return null;
            }
        }.scan(parsed(rules), false);
        return rooms;
    }

    private static Iterable<? extends CompilationUnitTree> parsed(Path source) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (Stream<Path> all = Files.exists(source) ? Files.walk(source) : Stream.empty();
                StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<Path> found =
                    all.filter(path -> path.toString().endsWith(".java")).toList();
            if (found.isEmpty()) {
                return List.of();
            }
            JavacTask task = (JavacTask)
                    compiler.getTask(null, files, null, null, null, files.getJavaFileObjectsFromPaths(found));
            return task.parse();
        }
    }
}
