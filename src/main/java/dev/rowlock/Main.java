package dev.rowlock;

import dev.rowlock.config.Config;
import dev.rowlock.config.ConfigProblems;
import dev.rowlock.db.SqlClient;
import dev.rowlock.embedded.EmbeddedDatabaseProblem;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** What {@code scripts/rowlock} runs. */
public final class Main {

    /** {@code EX_USAGE} of sysexits.h. */
    private static final int USAGE = 64;
    /** {@code EX_SOFTWARE} of sysexits.h. */
    private static final int BROKEN = 70;
    /** {@code EX_CONFIG} of sysexits.h. */
    private static final int CONFIGURATION = 78;

    private static final String HELP = """
            usage: rowlock server [--config FILE] [--embedded]   run a node in the foreground
                   rowlock sql [STATEMENT]                       look into the database, with its own client
                   rowlock verify [--since WHEN] [--until WHEN] [--job NAMESPACE/NAME]
                                                                 prove that no fire time was lost; verify --help says more
                   rowlock admin-token replace                   give the cluster another admin token; --help says more
                   rowlock version                               say which version this is
                   rowlock help                                  say this

            --config FILE  settings; config/rowlock.yaml if it is there. ROWLOCK_* variables win over it.
            --embedded     bring a MariaDB along, under the data directory, instead of using database.url
            """;

    private Main() {}

    public static void main(String[] args) {
        System.exit(run(List.of(args), System.out, System.err));
    }

    private static int run(List<String> args, PrintStream out, PrintStream err) {
        String command = args.isEmpty() ? "" : args.get(0);
        return switch (command) {
            case "server" -> server(args.subList(1, args.size()), err);
            case "verify" -> new Verification(out, err).run(args.subList(1, args.size()), System.getenv());
            case "admin-token" -> new TokenReplacement(out, err).run(args.subList(1, args.size()), System.getenv());
            case "sql-options" -> sqlOptions(args.subList(1, args.size()), out, err);
            case "version", "--version" -> {
                out.println("rowlock " + version());
                yield 0;
            }
            case "help", "--help", "-h" -> {
                out.print(HELP);
                yield 0;
            }
            default -> {
                err.println(command.isEmpty() ? "rowlock: which command?" : "rowlock: no command \"" + command + "\"");
                err.print(HELP);
                yield USAGE;
            }
        };
    }

    /** For scripts/rowlock alone, which says which client program it has found. */
    private static int sqlOptions(List<String> args, PrintStream out, PrintStream err) {
        return SqlOptions.print(
                args.contains("mariadb") ? SqlClient.Program.MARIADB : SqlClient.Program.MYSQL,
                System.getenv(),
                out,
                err);
    }

    private static int server(List<String> args, PrintStream err) {
        @Nullable Path file = null;
        boolean embedded = false;
        for (int i = 0; i < args.size(); i++) {
            String arg = args.get(i);
            if (arg.equals("--embedded")) {
                embedded = true;
            } else if (arg.equals("--config") && i + 1 < args.size()) {
                file = Path.of(args.get(++i));
            } else if (arg.startsWith("--config=")) {
                file = Path.of(arg.substring("--config=".length()));
            } else {
                err.println("rowlock server: \"" + arg + "\" is not understood");
                err.print(HELP);
                return USAGE;
            }
        }
        return server(file, embedded, err);
    }

    private static int server(@Nullable Path file, boolean embedded, PrintStream err) {
        Thread.setDefaultUncaughtExceptionHandler(Main::end);
        try {
            return new Daemon(Config.load(file, System.getenv(), embedded), version()).run();
        } catch (ConfigProblems e) {
            e.sentences().forEach(problem -> err.println("rowlock: " + problem));
            return CONFIGURATION;
        } catch (CannotStart e) {
            err.println("rowlock: " + e.getMessage());
            return e.exitCode();
        } catch (EmbeddedDatabaseProblem | IOException e) {
            err.println("rowlock: the embedded database cannot be started: " + e.getMessage());
            return 1;
        }
    }

    /** A half-alive node is the worst kind; the guard ends its commands. */
    private static void end(Thread thread, Throwable e) {
        LoggerFactory.getLogger(Main.class).error("thread {} died; the process ends", thread.getName(), e);
        Runtime.getRuntime().halt(BROKEN);
    }

    private static String version() {
        @Nullable String version = Main.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
