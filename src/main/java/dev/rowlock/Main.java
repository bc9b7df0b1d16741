package dev.rowlock;

import dev.rowlock.cli.Commands;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cli.call.Surroundings;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Entry point of {@code scripts/rowlock}. */
public final class Main {

    private Main() {}

    public static void main(String[] args) {
        Locale.setDefault(Locale.ROOT); // what libraries write and compare must not depend on the host's
        StandardOutput output = new StandardOutput();
        PrintStream out = output.text();
        PrintStream err = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        int code;
        try {
            code = run(
                    List.of(args),
                    new Surroundings(
                            System.getenv(),
                            System.in,
                            out,
                            err,
                            Clock.systemUTC(),
                            terminals(System.getProperty("rowlock.terminals")),
                            Main::after,
                            Foreground::run));
        } catch (LinkageError e) {
            err.println("rowlock: " + e + ": a file of this installation is missing, or was replaced while it was read;"
                    + " build (scripts/build), unpack or install Rowlock again, then start it again");
            code = ExitCode.FAILED;
        }
        out.flush();
        Optional<String> problem = output.problem();
        problem.ifPresent(why -> err.println("rowlock: not all could be written to standard output: " + why));
        System.exit(problem.isPresent() && code == ExitCode.DONE ? ExitCode.FAILED : code);
    }

    /** Runs a command without a terminal and without input. */
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
        Optional<String> garbled = garbled(args, around.environment());
        if (garbled.isPresent()) {
            around.err()
                    .println(
                            "rowlock: " + garbled.get() + " is no text in UTF-8, or no locale of this host is in UTF-8;"
                                    + " locale -a shows C.UTF-8 where there is one");
            return ExitCode.USAGE;
        }
        String version = version();
        return new Commands(() -> new LocalCommands(version, around.environment(), around.err()), version, around)
                .run(args);
    }

    /** Finds text that Java could not read and has replaced: the first argument, or the name of the first variable. */
    private static Optional<String> garbled(List<String> args, Map<String, String> environment) {
        return Stream.concat(
                        args.stream().filter(Main::isGarbled).map(argument -> "the argument \"" + argument + "\""),
                        environment.entrySet().stream()
                                .filter(variable -> variable.getKey().startsWith("ROWLOCK_"))
                                .filter(variable -> isGarbled(variable.getValue()))
                                .map(Map.Entry::getKey))
                .findFirst();
    }

    private static boolean isGarbled(String text) {
        return text.indexOf('\uFFFD') >= 0;
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
