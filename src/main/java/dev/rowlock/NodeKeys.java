package dev.rowlock;

import dev.rowlock.access.FirstFile;
import dev.rowlock.cli.call.CommandFailed;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.config.Config;
import dev.rowlock.config.Config.SecretConfig;
import dev.rowlock.secret.KeyRing;
import dev.rowlock.secret.LocalSecrets;
import dev.rowlock.secret.NodeSecrets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keys of a node, from its settings. With the embedded database, there is always one. */
final class NodeKeys {

    private static final Logger log = LoggerFactory.getLogger(NodeKeys.class);
    private static final Set<PosixFilePermission> OF_THE_OWNER = PosixFilePermissions.fromString("rwx------");

    private NodeKeys() {}

    /** @throws CommandFailed a key cannot be read, or is none; the message names its setting and not the key */
    static NodeSecrets secrets(Config config) {
        return new NodeSecrets(
                keys(config),
                new LocalSecrets(config.secrets().files(), config.secrets().env(), System.getenv()));
    }

    private static KeyRing keys(Config config) {
        SecretConfig settings = config.secrets();
        List<String> keys = new ArrayList<>();
        if (settings.key() != null) {
            keys.add(settings.key());
        }
        Path file = settings.keyFile();
        if (file == null && keys.isEmpty() && config.embedded()) {
            file = made(config.dataDir().resolve("secrets.key"));
        }
        if (file != null) {
            keys.addAll(read(file));
        }
        keys.addAll(settings.previousKeys());
        return KeyRing.of(keys);
    }

    private static List<String> read(Path file) {
        try {
            List<String> lines = Files.readAllLines(file).stream()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .toList();
            KeyRing.of(lines); // says which of its lines is wrong
            if (lines.isEmpty()) {
                throw refused(file, "there is no key in it");
            }
            warnIfOpen(file);
            return lines;
        } catch (IOException e) {
            throw refused(file, "it cannot be read: " + e.getMessage());
        } catch (IllegalArgumentException e) {
            throw refused(file, String.valueOf(e.getMessage()));
        }
    }

    private static CommandFailed refused(Path file, String why) {
        return new CommandFailed(
                ExitCode.CONFIGURATION, "secrets.key-file (ROWLOCK_SECRETS_KEY_FILE): " + file + ": " + why);
    }

    private static void warnIfOpen(Path file) throws IOException {
        if (!OF_THE_OWNER.containsAll(Files.getPosixFilePermissions(file))) {
            log.warn("secrets.key-file: {} can be read by others than its owner; chmod 600 prevents it", file);
        }
    }

    /** Creates a key file if there is none; of several nodes that start, one creates it. */
    static Path made(Path file) {
        try {
            if (!Files.exists(file)) {
                Files.createDirectories(file.toAbsolutePath().getParent());
                if (FirstFile.make(file, KeyRing.newKey())) {
                    log.info(
                            "made a key for secrets: {}; a backup of the database is of no use for them without it",
                            file);
                }
            }
            return file;
        } catch (IOException | UnsupportedOperationException e) {
            throw refused(file, "no key can be made there: " + e.getMessage());
        }
    }
}
