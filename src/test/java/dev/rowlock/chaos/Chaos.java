package dev.rowlock.chaos;

import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;

/**
 * {@code scripts/chaos}: one run. The exit code is 1 if any promise was broken, and {@link #NO_VERDICT} if the run
 * itself failed, so that nobody can say.
 */
final class Chaos {

    static final int NO_VERDICT = 70;

    private static final int USAGE = 64;

    private Chaos() {}

    /** @param arguments see {@link Options} */
    public static void main(String[] arguments) {
        Options options;
        try {
            options = Options.parse(List.of(arguments));
        } catch (IllegalArgumentException e) {
            System.err.println("chaos: " + e.getMessage());
            System.exit(USAGE);
            return;
        }
        System.out.println("chaos: seed " + options.seed() + ", in " + options.dir());
        AtomicReference<Throwable> unheard = new AtomicReference<>();
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> unheard.compareAndSet(null, e));
        int code = NO_VERDICT;
        try {
            code = verdict(options, () -> run(options), unheard, System.out);
        } finally {
            System.exit(code); // threads of a run that failed may wait for something for ever
        }
    }

    private static Report run(Options options) throws Exception {
        try (ChaosDatabase database = ChaosDatabase.open(options.database(), options.dir());
                ChaosRun run = new ChaosRun(options, database)) {
            return run.run();
        }
    }

    /**
     * Runs and tells what came of it.
     *
     * @param unheard what has ended a thread of the run that nobody waits for
     * @return the exit code
     */
    static int verdict(Options options, Callable<Report> run, AtomicReference<Throwable> unheard, PrintStream out) {
        Throwable failure;
        try {
            Report report = run.call();
            out.print(report.text());
            failure = unheard.get();
            if (failure == null) {
                return report.isClean() ? 0 : 1;
            }
        } catch (Throwable e) { // also when memory is out: what is not said is taken for success
            failure = e;
        }
        failure.printStackTrace(out);
        out.println("The run has no verdict, as it failed itself: " + failure + ". Again: scripts/chaos --seed "
                + options.seed() + "\nAll it left behind is in " + options.dir());
        return NO_VERDICT;
    }
}
