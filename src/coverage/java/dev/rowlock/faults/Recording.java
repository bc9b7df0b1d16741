package dev.rowlock.faults;

import dev.rowlock.faults.Sources.DoesNotApply;
import dev.rowlock.faults.Sources.Place;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jacoco.core.analysis.Analyzer;
import org.jacoco.core.analysis.CoverageBuilder;
import org.jacoco.core.analysis.ICounter;
import org.jacoco.core.analysis.ISourceFileCoverage;
import org.jacoco.core.data.ExecutionDataStore;
import org.jacoco.core.tools.ExecFileLoader;

/** The reader of a recording: finds for each fault the test classes that have executed its place. */
public final class Recording {

    private static final Pattern NAME = Pattern.compile("static final [\\w<>, .]+ ([A-Z][A-Z0-9_]*) =");
    private static final Pattern TIME = Pattern.compile("<testsuite [^>]*?time=\"([0-9.]+)\"", Pattern.DOTALL);

    private final Sources sources;
    private final Path project;
    private final Covering covering = new Covering();

    private Recording(Path project) throws IOException {
        this.project = project;
        this.sources = new Sources(project);
    }

    /** Writes the file of what covers what, from what lies below {@code target}. */
    public static void main(String[] arguments) throws IOException, DoesNotApply {
        Path project = Path.of("").toAbsolutePath();
        Recording recording = new Recording(project);
        recording.readTimes();
        recording.readCoverage(FaultList.read(project.resolve(FaultList.FILE)));
        recording.covering.write(project.resolve(Covering.FILE));
    }

    private void readTimes() throws IOException {
        for (Path report : files(project.resolve("target").resolve("surefire-reports"), "TEST-.*\\.xml")) {
            String name = report.getFileName().toString().replaceAll("^TEST-|\\.xml$", "");
            try (Stream<String> lines = Files.lines(report)) {
                Matcher time = TIME.matcher(String.join(" ", lines.limit(5).toList()));
                if (time.find()) {
                    covering.took(simple(name), Double.parseDouble(time.group(1)));
                }
            }
        }
    }

    private void readCoverage(List<Fault> faults) throws IOException, DoesNotApply {
        Map<Fault, Place> places = new HashMap<>();
        Map<Path, Collection<Fault>> byFile = new TreeMap<>();
        Map<String, TreeSet<String>> found = new TreeMap<>();
        for (Fault fault : faults) {
            Place place = sources.find(fault);
            places.put(fault, place);
            if (place.file().toString().endsWith(".java")) {
                byFile.computeIfAbsent(place.file(), file -> new ArrayList<>()).add(fault);
            }
        }
        for (Map.Entry<String, ExecutionDataStore> test : executed().entrySet()) {
            for (Map.Entry<Path, Collection<Fault>> file : byFile.entrySet()) {
                ISourceFileCoverage lines = coverage(test.getValue(), file.getKey());
                for (Fault fault : file.getValue()) {
                    if (lines != null && isExecuted(places.get(fault), lines)) {
                        found.computeIfAbsent(fault.id(), id -> new TreeSet<>()).add(simple(test.getKey()));
                    }
                }
            }
        }
        found.forEach(covering::covers);
    }

    /** Reads what each test class has executed: in its own JVM, and in nodes. */
    private Map<String, ExecutionDataStore> executed() throws IOException {
        Map<String, ExecutionDataStore> all = new TreeMap<>();
        for (Path directory : List.of(CoverageRecorder.DIRECTORY, CoverageRecorder.OF_NODES)) {
            for (Path file : files(project.resolve(directory), ".*Test\\.exec")) {
                String name = file.getFileName().toString().replaceAll("\\.exec$", "");
                ExecutionDataStore store = all.computeIfAbsent(name, test -> new ExecutionDataStore());
                ExecFileLoader loader = new ExecFileLoader();
                try {
                    loader.load(file.toFile());
                } catch (IOException e) {
                    System.err.println(file + " is cut short: " + e); // its node was killed as it wrote
                }
                loader.getExecutionDataStore().getContents().forEach(store::put);
            }
        }
        return all;
    }

    private ISourceFileCoverage coverage(ExecutionDataStore executed, Path file) throws IOException {
        CoverageBuilder builder = new CoverageBuilder();
        Analyzer analyzer = new Analyzer(executed, builder);
        String packed = Sources.packed(file).toString().replaceAll("\\.java$", "");
        Path classes = project.resolve("target").resolve("classes").resolve(packed).getParent();
        String type = file.getFileName().toString().replaceAll("\\.java$", "");
        for (Path each : files(classes, Pattern.quote(type) + "(\\$.*)?\\.class")) {
            analyzer.analyzeAll(each.toFile());
        }
        return builder.getSourceFiles().stream().findFirst().orElse(null);
    }

    /**
     * Tells whether the place was executed: any line of it; where it has no code of its own, the beginning of its
     * statement; of a constant, whatever uses it.
     */
    private static boolean isExecuted(Place place, ISourceFileCoverage lines) {
        int[] span = place.span().lines(place.text());
        Matcher constant = NAME.matcher(statement(place));
        if (constant.find()) {
            Pattern use = Pattern.compile("\\b" + constant.group(1) + "\\b");
            List<String> all = place.text().lines().toList();
            for (int line = 1; line <= all.size(); line++) {
                if (use.matcher(all.get(line - 1)).find() && isExecuted(lines, line)) {
                    return true;
                }
            }
            return false;
        }
        int first = span[0];
        while (first > lines.getFirstLine() && !hasCode(lines, first, span[1])) {
            first--;
        }
        for (int line = first; line <= span[1]; line++) {
            if (isExecuted(lines, line)) {
                return true;
            }
        }
        return false;
    }

    /** Cuts out the statement that the place begins in, up to the place. */
    private static String statement(Place place) {
        String before = place.text().substring(0, place.span().from());
        String bare = before.replaceAll("(?s)\"\"\".*?\"\"\"", "\"\"");
        int opened = bare.lastIndexOf("\"\"\""); // of a text block that goes on
        String head = opened < 0 ? bare : bare.substring(0, opened);
        int from = Math.max(head.lastIndexOf(';'), Math.max(head.lastIndexOf('}'), head.lastIndexOf('{')));
        return bare.substring(from + 1) + place.text().substring(place.span().from(), place.span().to());
    }

    private static boolean hasCode(ISourceFileCoverage lines, int from, int to) {
        for (int line = from; line <= to; line++) {
            if (lines.getLine(line).getStatus() != ICounter.EMPTY) {
                return true;
            }
        }
        return false;
    }

    private static boolean isExecuted(ISourceFileCoverage lines, int line) {
        int status = lines.getLine(line).getStatus();
        return status == ICounter.FULLY_COVERED || status == ICounter.PARTLY_COVERED;
    }

    private static List<Path> files(Path directory, String pattern) throws IOException {
        File[] all = directory.toFile().listFiles((in, name) -> name.matches(pattern));
        return all == null ? List.of() : Stream.of(all).map(File::toPath).sorted().toList();
    }

    private static String simple(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }
}
