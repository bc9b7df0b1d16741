package dev.rowlock.cli;

import dev.rowlock.verify.Accounting;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * What commands need of rooms that this one does not open onto; the base package does it. Commands that speak HTTP need nothing of this. Each
 * method throws {@link CommandFailed} if it cannot be done.
 */
public interface Needs {

    /** Runs a node; returns when it has stopped in order. */
    void serve(SettingsOptions settings);

    /** Has the fire times in a database checked: {@code check} gets what reads them, and returns the exit code. */
    int verify(SettingsOptions settings, ToIntFunction<Accounting> check);

    /** Replaces the cluster's admin token, and says in sentences for the operator where the new one is. */
    List<String> replaceAdminToken(SettingsOptions settings);

    /**
     * The text of an option file that leads the SQL client to the configured database, password included.
     *
     * @param mariadb whether the client is MariaDB's
     */
    String sqlOptions(boolean mariadb);
}
