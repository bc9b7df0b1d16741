package dev.rowlock.exec;

import dev.rowlock.definition.Command;
import dev.rowlock.definition.CommandShell;
import dev.rowlock.definition.Limits;
import dev.rowlock.exec.output.OutputLimits;
import dev.rowlock.exec.process.Uptime;
import dev.rowlock.task.LaunchId;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * A small daemon for tests, run as a process of its own: starts a guard with the given deadline and the commands given,
 * says the guard's pid, and then obeys lines: {@code feed MILLIS_FROM_NOW}, {@code rename SESSION MILLIS_FROM_NOW}.
 */
final class GuardedDaemon {

    private GuardedDaemon() {}

    public static void main(String[] arguments) throws IOException {
        Path directory = Path.of(arguments[0]);
        String session = arguments[2];
        Guard guard = Guard.start(session, Uptime.millis() + Long.parseLong(arguments[3]));
        Launcher launcher = new Launcher(
                directory.resolve("output"),
                OutputLimits.DEFAULT,
                SpawnMethod.valueOf(arguments[1]),
                System::nanoTime,
                guard::ensureAlive,
                ended -> {});
        for (int i = 4; i < arguments.length; i++) {
            launcher.start(spec(session, i, arguments[i], directory));
        }
        System.out.println(guard.pid());
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ", -1);
            if (words[0].equals("feed")) {
                guard.feed(Uptime.millis() + Long.parseLong(words[1]));
            } else {
                guard.renamed(words[1], Uptime.millis() + Long.parseLong(words[2]));
            }
            System.out.println(guard.condemned());
        }
    }

    /** As another user if the command begins with {@code @NAME} and a blank. */
    private static LaunchSpec spec(String session, int number, String command, Path directory) {
        String user = command.startsWith("@") ? command.substring(1, command.indexOf(' ')) : null;
        return new LaunchSpec(
                LaunchId.of(session, number),
                session,
                Command.of(user == null ? command : command.substring(user.length() + 2)),
                directory,
                Map.of(),
                new RunOptions(user, null, null, Limits.NONE, CommandShell.BASH, null),
                null,
                Duration.ofSeconds(60),
                Long.MAX_VALUE);
    }
}
