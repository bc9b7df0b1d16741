package dev.rowlock.cli;

import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code rowlock server}. */
@Command(
        description = "Runs a node in the foreground, until SIGTERM or SIGINT asks it to stop.",
        exitCodeList = {
            ExitCode.DONE + ":it stopped in order",
            ExitCode.FAILED + ":it cannot start: its port or directory is taken, or the embedded database fails",
            ExitCode.USAGE + ":not understood",
            ExitCode.BROKEN + ":a fault of Rowlock itself",
            ExitCode.CONFIGURATION + ":the settings are wrong, or do not fit the other nodes",
            ExitCode.KILLED + ":a second signal ended it at once"
        },
        footer = "rowlock server --config /etc/rowlock.yaml")
final class ServerCommand implements Runnable {

    private final Supplier<Needs> needs;

    @Mixin
    private final SettingsOptions settings = new SettingsOptions();

    ServerCommand(Supplier<Needs> needs) {
        this.needs = needs;
    }

    @Override
    public void run() {
        needs.get().serve(settings);
    }
}
