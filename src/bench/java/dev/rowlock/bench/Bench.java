package dev.rowlock.bench;

import java.nio.file.Path;
import java.util.List;

/** Runs one scenario. */
public final class Bench {

    private static final String USAGE = "usage: scripts/bench "
            + "burst|policies|steady|overload|freeze|idle|scale|failover|history|answers|api|pages|price|size|schedule"
            + " [--database embedded|URL] [options]; see scripts/bench";

    private Bench() {}

    /** Exit code 64 for a command line that cannot be understood. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length == 0) {
            System.err.println(USAGE);
            System.exit(64);
        }
        try {
            run(arguments[0], new Options(List.of(arguments).subList(1, arguments.length)));
        } catch (IllegalArgumentException e) {
            System.err.println("bench: " + e.getMessage());
            System.exit(64);
        }
        System.exit(0); // threads of the peers may linger
    }

    private static void run(String scenario, Options options) throws Exception {
        Report report = new Report(scenario);
        try (Server server = new Server(options.text("database", "embedded"), Path.of("target", "bench-database"))) {
            Scenario prepared = scenario(scenario, server, options, report);
            options.refuseUnknown();
            report.note(server.version + " on " + Machine.description());
            prepared.run();
            report.print();
        }
    }

    private static Scenario scenario(String name, Server server, Options options, Report report) {
        return switch (name) {
            case "burst" -> new Burst(server, options, report)::run;
            case "policies" -> new Policies(server, options, report)::run;
            case "steady" -> new Steady(server, options, report)::run;
            case "freeze" -> new Freezing(server, options, report)::run;
            case "overload" -> new Overload(server, options, report)::run;
            case "scale" -> new Scale(server, options, report)::run;
            case "idle" -> new Idle(server, options, report)::run;
            case "failover" -> new Failover(server, options, report)::run;
            case "history" -> new LongHistory(server, options, report)::run;
            case "answers" -> new Answers(server, options, report)::run;
            case "api" -> new Api(server, options, report)::run;
            case "pages" -> new Pages(server, options, report)::run;
            case "price" -> new Price(server, options, report)::run;
            case "size" -> new Size(server, options, report)::run;
            default -> throw new IllegalArgumentException("there is no scenario \"" + name + "\"; " + USAGE);
        };
    }

    private interface Scenario {
        void run() throws Exception;
    }
}
