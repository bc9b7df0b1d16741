package dev.rowlock.cli;

import java.io.PrintWriter;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code rowlock admin-token replace}: gives the cluster another administrator's token, which nothing else does. */
@Command(description = "Manages the admin token of the cluster.", footer = "rowlock admin-token replace")
record AdminTokenCommand(Supplier<Needs> needs, PrintWriter out) {

    @Command(
            description = {
                "Replaces the admin token of the cluster.",
                "The new one is that of the settings (ROWLOCK_ADMIN_TOKEN, admin.token), or, if they have none, one"
                        + " that is made and kept in admin.token in the data directory. Needs the database, and no"
                        + " node. Every node refuses the old one within five seconds. Without database.url it is the"
                        + " embedded database."
            },
            footer = "rowlock admin-token replace --config /etc/rowlock.yaml")
    void replace(@Mixin SettingsOptions settings) {
        needs.get().replaceAdminToken(settings).forEach(out::println);
    }
}
