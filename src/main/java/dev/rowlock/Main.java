package dev.rowlock;

import dev.rowlock.cli.Commands;
import dev.rowlock.cli.Surroundings;
import java.io.InputStream;
import java.io.PrintStream;
import java.time.Clock;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What {@code scripts/rowlock} runs. */
public final class Main {

    private Main() {}

    public static void main(String[] args) {
        System.exit(run(
                List.of(args),
                new Surroundings(
                        System.getenv(),
                        System.in,
                        System.out,
                        System.err,
                        Clock.systemUTC(),
                        terminals(System.getProperty("rowlock.terminals")),
                        Main::after,
                        Foreground::run)));
    }

    /** Without a terminal and without input. */
    static int run(List<String> args, Map<String, String> environment, PrintStream out, PrintStream err) {
        return run(
                args,
                new Surroundings(
                        environment,
                        InputStream.nullInputStream(),
                        out,
                        err,
                        Clock.systemUTC(),
                        Set.of(),
                        Main::after,
                        Foreground::run));
    }

    /** @return the exit code */
    static int run(List<String> args, Surroundings around) {
        String version = version();
        return new Commands(() -> new LocalCommands(version, around.environment(), around.err()), version, around)
                .run(args);
    }

    /** @param said by scripts/rowlock, as Java can only tell whether all of them are one; null: by nobody */
    private static Set<Surroundings.Stream> terminals(@Nullable String said) {
        Set<Surroundings.Stream> terminals = EnumSet.noneOf(Surroundings.Stream.class);
        for (Surroundings.Stream stream : Surroundings.Stream.values()) {
            if (said != null && said.contains(stream.descriptor())) {
                terminals.add(stream);
            }
        }
        return terminals;
    }

    private static Runnable after(long millis, Runnable what) {
        Later later = new Later(millis, what);
        later.start();
        return later::callOff;
    }

    private static String version() {
        @Nullable String version = Main.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
