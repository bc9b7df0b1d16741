package dev.rowlock.cli;

import dev.rowlock.cli.files.JobSchema;
import java.io.PrintStream;
import picocli.CommandLine.Command;

/** {@code rowlock schema}. */
@Command(
        description =
                "Writes the JSON Schema of files with jobs, so that editors complete and check them: with the YAML"
                        + " language server, # yaml-language-server: $$schema=rowlock-jobs.schema.json in line 1.",
        footer = "rowlock schema >rowlock-jobs.schema.json")
record SchemaCommand(PrintStream out) implements Runnable {

    @Override
    public void run() {
        out.print(JobSchema.text());
    }
}
