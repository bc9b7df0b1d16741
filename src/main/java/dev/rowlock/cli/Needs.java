package dev.rowlock.cli;

import dev.rowlock.verify.Accounting;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/** What commands need of other rooms. Each method throws {@link CommandFailed} if it cannot be done. */
public interface Needs {

    /**
     * All rows of the tables of another program, by the names of their columns in lower case; what is null is not
     * there.
     *
     * @param url of a database of MySQL or MariaDB
     * @param tables of which at least one has to be there; in any case
     */
    List<Map<String, String>> rows(String url, String user, String password, List<String> tables);

    /** Runs a node; returns when it has stopped in order. */
    void serve(SettingsOptions settings);

    /** Has the fire times in a database checked: {@code check} gets what reads them, and returns the exit code. */
    int verify(SettingsOptions settings, ToIntFunction<Accounting> check);

    /** Replaces the cluster's admin token, and says in sentences for the operator where the new one is. */
    List<String> replaceAdminToken(SettingsOptions settings);

    /** The text of an option file that leads the SQL client (MariaDB's, or MySQL's) to the configured database. */
    String sqlOptions(boolean mariadb);
}
