package dev.rowlock.cli.call;

import dev.rowlock.report.verify.Accounting;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Services that commands need of other rooms. Each method throws {@link CommandFailed} if it cannot be done. */
public interface Needs {

    /**
     * Returns all rows of the tables of another program, by the names of their columns in lower case; null values are
     * left out.
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

    /** Returns the embedded database. */
    Embedded embedded();

    /**
     * Returns the text of an option file that leads the SQL client (MariaDB's, or MySQL's) to the configured database.
     */
    String sqlOptions(boolean mariadb);

    /** Embedded database, for the commands that tend it. */
    interface Embedded {

        /** Returns its state in words, by what they are about. */
        Map<String, String> status(@Nullable Path config);

        /** Stops the server if no node uses it, and says so. */
        String stop(@Nullable Path config);

        /** Writes a dump of it. */
        void dump(@Nullable Path config, OutputStream out);

        /** Writes a dump of it to a file that only its owner can read, and that is there only if it is whole. */
        String dump(@Nullable Path config, Path file);

        /** Loads a dump into one that is empty or not there yet, and says so. */
        String load(@Nullable Path config, Path file);
    }
}
