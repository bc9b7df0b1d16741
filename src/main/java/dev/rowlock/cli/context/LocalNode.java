package dev.rowlock.cli.context;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The node whose data directory is on this machine, as {@code scripts/quickstart} starts it.
 *
 * @param url as the node has noted it in {@code nodes/NAME/address}, or where it listens by default
 * @param token null: there is no {@code admin.token} that this user can read
 */
record LocalNode(String url, @Nullable String token, Path data) {

    static LocalNode of(Map<String, String> environment) {
        Path home = Path.of(environment.getOrDefault("ROWLOCK_HOME", ""));
        Path data = home.resolve(environment.getOrDefault("ROWLOCK_DATA_DIR", "data"));
        String configured = environment.getOrDefault("ROWLOCK_ADMIN_TOKEN", "");
        try {
            String token = configured.isEmpty() ? line(data.resolve("admin.token")) : configured;
            return new LocalNode(url(data, environment), token, data);
        } catch (IOException e) {
            throw new WrongContext(data + " cannot be read: " + e);
        }
    }

    private static String url(Path data, Map<String, String> environment) throws IOException {
        String port = environment.getOrDefault("ROWLOCK_HTTP_PORT", "");
        if (!port.isEmpty()) {
            return "http://127.0.0.1:" + port;
        }
        List<String> noted = new ArrayList<>();
        Path nodes = data.resolve("nodes");
        if (Files.isDirectory(nodes)) {
            try (DirectoryStream<Path> all = Files.newDirectoryStream(nodes)) {
                for (Path node : all) {
                    String address = line(node.resolve("address"));
                    if (address != null) {
                        noted.add(address);
                    }
                }
            }
        }
        return noted.isEmpty() ? "http://127.0.0.1:7575" : noted.get(0);
    }

    /** Null if there is no such file, or it is empty or somebody else's. */
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
