package dev.rowlock.cli;

import java.io.PrintWriter;
import picocli.CommandLine.Command;

/** {@code rowlock version}. */
@Command(description = "Says which version this is.", footer = "rowlock version")
record VersionCommand(String version, PrintWriter out) implements Runnable {

    @Override
    public void run() {
        out.println("rowlock " + version);
    }
}
