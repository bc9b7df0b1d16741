package dev.rowlock.cli;

import java.io.PrintWriter;
import picocli.CommandLine.Command;

/** {@code rowlock version}. */
@Command(description = "Says which version this is.", footer = "rowlock version")
final class VersionCommand implements Runnable {

    private final String version;
    private final PrintWriter out;

    VersionCommand(String version, PrintWriter out) {
        this.version = version;
        this.out = out;
    }

    @Override
    public void run() {
        out.println("rowlock " + version);
    }
}
