package dev.rowlock.config;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Settings by which commands on this machine find its node and its database.
 *
 * @param dataDir absolute
 * @param url where the node listens, for a client on this machine
 * @param adminToken null: it is not in the settings
 * @param ownDatabase whether they name a database; else it is the embedded one
 */
public record LocalSettings(
        Path dataDir, String url, @Nullable String adminToken, boolean ownDatabase) {

    /**
     * Reads these settings as a node does. Other mistakes in the settings are ignored.
     *
     * @param file see {@link Config#load}
     * @throws ConfigProblems with what is wrong with these
     */
    public static LocalSettings load(@Nullable Path file, Map<String, String> environment) {
        return new ConfigReader(file, environment).local();
    }

    /** Reads these settings like {@link #load}, but ignores a file that the user may not read. */
    public static LocalSettings loadReadable(Map<String, String> environment) {
        Path file = ConfigReader.standardFile(environment);
        return new ConfigReader(Files.isReadable(file) ? file : null, environment, false).local();
    }
}
