package dev.rowlock.cli.context;

import dev.rowlock.config.ConfigProblems;
import dev.rowlock.config.LocalSettings;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Node whose data directory the settings of this machine name.
 *
 * @param url as the node has noted it in {@code nodes/NAME/address}, or where it would listen
 * @param token null: there is no {@code admin.token} that this user can read
 * @param runs whether one has noted its address that still runs; not to be seen by users who cannot read the directory
 */
record LocalNode(String url, @Nullable String token, Path data, boolean runs) {

    static LocalNode of(Map<String, String> environment) {
        LocalSettings settings = settings(environment);
        Path data = settings.dataDir();
        String given = environment.getOrDefault("ROWLOCK_ADMIN_TOKEN", "");
        try {
            String noted = url(data, environment);
            if (!given.isEmpty() || noted == null) {
                // Only a node that runs gets the token of this machine, not whoever has taken a port that it might
                // have.
                return new LocalNode(
                        noted == null ? settings.url() : noted, given.isEmpty() ? null : given, data, noted != null);
            }
            String own = settings.adminToken() == null ? line(data.resolve("admin.token")) : settings.adminToken();
            return new LocalNode(noted, own, data, true);
        } catch (IOException e) {
            throw new WrongContext(data + " cannot be read: " + e);
        }
    }

    /** Returns the source of its address, for people. */
    String from() {
        return runs
                ? "the node of this machine, in " + data
                : "where a node would listen; none that runs is to be seen in " + data;
    }

    private static LocalSettings settings(Map<String, String> environment) {
        try {
            return LocalSettings.loadReadable(environment);
        } catch (ConfigProblems e) {
            throw new WrongContext("the node of this machine cannot be found: " + String.join(" ", e.sentences()));
        }
    }

    /**
     * Returns the address of the node that noted it last and still runs: the token must not go to whoever has its port
     * now.
     */
    private static @Nullable String url(Path data, Map<String, String> environment) throws IOException {
        String port = environment.getOrDefault("ROWLOCK_HTTP_PORT", "");
        String url = null;
        FileTime latest = FileTime.fromMillis(0);
        Path nodes = data.resolve("nodes");
        if (Files.isDirectory(nodes)) {
            try (DirectoryStream<Path> all = Files.newDirectoryStream(nodes)) {
                for (Path node : all) {
                    String noted = line(node.resolve("address"));
                    FileTime at = noted == null ? latest : Files.getLastModifiedTime(node.resolve("address"));
                    if (noted != null && at.compareTo(latest) > 0 && runs(noted) && isAt(port, address(noted))) {
                        url = address(noted);
                        latest = at;
                    }
                }
            }
        }
        return url;
    }

    private static String address(String noted) {
        return noted.lines().findFirst().orElse("");
    }

    /** Returns whether the process that noted its address still runs; nodes of version 0.1 have not noted theirs. */
    private static boolean runs(String noted) {
        return noted.lines()
                .skip(1)
                .allMatch(pid -> ProcessHandle.of(Long.parseLong(pid)).isPresent());
    }

    private static boolean isAt(String port, String address) {
        return port.isEmpty() || address.endsWith(":" + port);
    }

    /** Returns the line; null if there is no such file, or it is empty or somebody else's. */
    private static @Nullable String line(Path file) throws IOException {
        if (!Files.isReadable(file)) {
            return null;
        }
        try {
            String text = Files.readString(file).strip();
            return text.isEmpty() ? null : text;
        } catch (NoSuchFileException e) {
            return null; // a node that stops removes its address
        }
    }
}
