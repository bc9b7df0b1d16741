package dev.rowlock.faults;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.platform.engine.CancellationToken;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.LauncherExecutionRequest;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherExecutionRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * The JVM in which a planted fault shows itself or does not: runs test classes one after another until one fails, and
 * writes a line of its report whenever something happens.
 */
public final class FaultRun {

    private final PrintStream report;

    private FaultRun(PrintStream report) {
        this.report = report;
    }

    /**
     * Runs what one file names, a lane and a class on each line, and reports to the other.
     *
     * @param arguments the file with the classes, then the file of the report
     */
    public static void main(String[] arguments) throws IOException {
        List<String> steps = Files.readAllLines(Path.of(arguments[0]));
        try (PrintStream report = new PrintStream(
                Files.newOutputStream(
                        Path.of(arguments[1]), StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING),
                true)) {
            new FaultRun(report).run(steps);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        System.exit(0); // whatever a test has left running
    }

    private void run(List<String> steps) {
        try (LauncherSession session = LauncherFactory.openSession()) {
            for (String step : steps) {
                String[] words = step.split("\t", -1);
                report.println("begin\t" + step);
                Watch watch = new Watch();
                execute(session.getLauncher(), words[0], words[1], watch);
                if (watch.caught.get() != null) {
                    report.println("caught\t" + step + "\t" + watch.caught.get());
                    break;
                }
                report.println("end\t" + step + "\t" + watch.tests);
            }
        }
        report.println("done");
    }

    private static void execute(Launcher launcher, String lane, String type, Watch watch) {
        PostDiscoveryFilter filter = lane.equals(Lane.SLOW.word())
                ? TagFilter.includeTags(Lane.TAG)
                : lane.equals(Lane.FAST.word()) ? TagFilter.excludeTags(Lane.TAG) : any -> FilterResult.included(null);
        LauncherDiscoveryRequest found = LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClass(type))
                .filters(filter)
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                .build();
        LauncherExecutionRequest request = LauncherExecutionRequestBuilder.request(found)
                .listeners(watch)
                .cancellationToken(watch.stop)
                .build();
        launcher.execute(request);
    }

    /** What becomes of the tests of one class; the first that fails ends it. */
    private static final class Watch implements TestExecutionListener {

        private final AtomicReference<String> caught = new AtomicReference<>();
        private final CancellationToken stop = CancellationToken.create();
        private final AtomicInteger tests = new AtomicInteger();

        @Override
        public void executionStarted(TestIdentifier test) {
            if (test.isTest()) {
                tests.incrementAndGet();
            }
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (result.getStatus() != TestExecutionResult.Status.FAILED) {
                return;
            }
            String why = result.getThrowable().map(Throwable::toString).orElse("failed");
            result.getThrowable().ifPresent(Throwable::printStackTrace);
            if (caught.compareAndSet(null, name(test) + "\t" + shortened(why))) {
                stop.cancel();
            }
        }

        private static String name(TestIdentifier test) {
            TestSource source = test.getSource().orElse(null);
            if (source instanceof MethodSource method) {
                return method.getMethodName();
            }
            return source instanceof ClassSource ? "(the class)" : test.getDisplayName();
        }

        private static String shortened(String text) {
            String line = text.replaceAll("\\s+", " ");
            return line.length() > 300 ? line.substring(0, 300) + " ..." : line;
        }
    }
}
