package dev.rowlock.chaos;

import java.util.List;

/** {@code scripts/chaos}: one run; the exit code is 1 if any promise was broken. */
final class Chaos {

    private static final int USAGE = 64;

    private Chaos() {}

    /** @param arguments see {@link Options} */
    public static void main(String[] arguments) throws Exception {
        Options options;
        try {
            options = Options.parse(List.of(arguments));
        } catch (IllegalArgumentException e) {
            System.err.println("chaos: " + e.getMessage());
            System.exit(USAGE);
            return;
        }
        System.out.println("chaos: seed " + options.seed() + ", in " + options.dir());
        Report report;
        try (ChaosDatabase database = ChaosDatabase.open(options.database(), options.dir());
                ChaosRun run = new ChaosRun(options, database)) {
            report = run.run();
        }
        System.out.print(report.text());
        System.exit(report.isClean() ? 0 : 1);
    }
}
