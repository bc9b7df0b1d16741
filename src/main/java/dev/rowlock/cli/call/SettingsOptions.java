package dev.rowlock.cli.call;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the settings that a command is to use, and the database that they mean. */
public final class SettingsOptions {

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "Read settings from here; default: config/rowlock.yaml if it is there. ROWLOCK_* variables win.")
    private @Nullable Path file;

    @Option(
            names = "--embedded",
            arity = "0",
            description = "Use the MariaDB that Rowlock brings along, under data.dir, instead of database.url.")
    private boolean embedded;

    public SettingsOptions() {}

    /** Returns the settings file; null: the usual one. */
    public @Nullable Path file() {
        return file;
    }

    /** Returns true if the embedded database is meant even if another is configured. */
    public boolean embedded() {
        return embedded;
    }
}
