package dev.rowlock.cli;

import dev.rowlock.config.ConfigProblems;
import dev.rowlock.config.LocalSettings;
import java.io.PrintWriter;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code rowlock local-settings}, for the scripts: what they need of the settings, which nobody else reads. */
@Command(
        hidden = true,
        description = "Prints where the node of this machine keeps its data and listens, and whose database it uses.",
        footer = "rowlock local-settings")
final class LocalSettingsCommand implements Runnable {

    private final Map<String, String> environment;
    private final PrintWriter out;

    @Mixin
    private final SettingsOptions settings = new SettingsOptions();

    LocalSettingsCommand(Map<String, String> environment, PrintWriter out) {
        this.environment = environment;
        this.out = out;
    }

    @Override
    public void run() {
        LocalSettings found = Reading.of(settings, environment);
        out.println("data=" + found.dataDir());
        out.println("url=" + found.url());
        out.println("database=" + (found.ownDatabase() && !settings.embedded() ? "own" : "embedded"));
        out.println("token=" + (found.adminToken() == null ? "file" : "settings"));
    }

    /** A class of its own, as Java loads what a class catches with it, and help loads every command. */
    private static final class Reading {

        static LocalSettings of(SettingsOptions settings, Map<String, String> environment) {
            try {
                return LocalSettings.load(settings.file(), environment);
            } catch (ConfigProblems e) {
                throw new CommandFailed(ExitCode.CONFIGURATION, e.sentences());
            }
        }
    }
}
