package dev.rowlock.cli;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * {@code rowlock classes}, for scripts/class-archive: does what commands do, whatever comes of it, so that Java has
 * loaded their classes when it writes the archive.
 */
@Command(
        hidden = true,
        description = "Loads the classes that commands need.",
        footer = "rowlock classes http://127.0.0.1:7575")
final class ClassesCommand implements Runnable {

    private static final List<String> LINES = List.of(
            "job list",
            "job list -o json",
            "job get a -o yaml",
            "job --help",
            "job list --help",
            "task list",
            "task logs 1",
            "node list",
            "overview",
            "doctor",
            "config view",
            "schedule @hourly",
            "version",
            "completion bash",
            "complete jobs",
            "jbo",
            "help");

    private final Surroundings around;

    @Parameters(paramLabel = "URL", description = "A node, which may refuse all of it.")
    private String url = "";

    ClassesCommand(Surroundings around) {
        this.around = around;
    }

    @Override
    public void run() {
        PrintStream nothing = new PrintStream(OutputStream.nullOutputStream(), true);
        Surroundings here = new Surroundings(
                Map.of("ROWLOCK_URL", url, "ROWLOCK_TOKEN", "none", "HOME", System.getProperty("user.home")),
                InputStream.nullInputStream(),
                nothing,
                nothing,
                around.clock(),
                Set.of(),
                around.later(),
                around.programs());
        for (String line : LINES) {
            new Commands(
                            () -> {
                                throw new IllegalStateException("a command that needs more than a node: " + line);
                            },
                            "",
                            here)
                    .run(List.of(line.split(" ")));
        }
    }
}
