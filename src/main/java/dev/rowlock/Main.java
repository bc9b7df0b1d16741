package dev.rowlock;

import dev.rowlock.cli.Commands;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What {@code scripts/rowlock} runs. */
public final class Main {

    private Main() {}

    public static void main(String[] args) {
        System.exit(run(List.of(args), System.getenv(), System.out, System.err));
    }

    /** @return the exit code */
    static int run(List<String> args, Map<String, String> environment, PrintStream out, PrintStream err) {
        String version = version();
        return new Commands(new LocalCommands(version, environment, err), version, out, err).run(args);
    }

    private static String version() {
        @Nullable String version = Main.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
