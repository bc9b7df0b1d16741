package dev.rowlock;

import dev.rowlock.cli.call.CommandFailed;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cli.call.Needs;
import dev.rowlock.cli.files.TextReader;
import dev.rowlock.config.Config;
import dev.rowlock.db.embedded.EmbeddedDatabase;
import dev.rowlock.db.embedded.EmbeddedDatabaseProblem;
import dev.rowlock.db.embedded.Upkeep;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Embedded database for the commands that manage it, and the messages when that fails. */
final class EmbeddedCommands implements Needs.Embedded {

    private static final Path SELF = Path.of("/proc/self");

    private final Function<@Nullable Path, Config> configs;

    /** @param configs reads the settings: of this file, or of the usual one */
    EmbeddedCommands(Function<@Nullable Path, Config> configs) {
        this.configs = configs;
    }

    /** Work on the database. */
    private interface EmbeddedWork<R> {

        R done() throws IOException;
    }

    @Override
    public Map<String, String> status(@Nullable Path config) {
        Path dir = existing(config);
        return told(() -> Upkeep.of(dir).status());
    }

    @Override
    public String stop(@Nullable Path config) {
        Path dir = existing(config);
        return told(() -> Upkeep.of(dir).stop());
    }

    @Override
    public void dump(@Nullable Path config, OutputStream out) {
        Path dir = existing(config);
        told(() -> {
            try (EmbeddedDatabase database = EmbeddedDatabase.start(dir)) {
                Upkeep.dump(database, out);
                return database;
            }
        });
    }

    @Override
    public String dump(@Nullable Path config, Path file) {
        Path next = file.resolveSibling(file.getFileName() + ".new");
        existing(config); // before there is a file
        return told(() -> {
            Files.deleteIfExists(next);
            Files.createFile(next, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(next))) {
                dump(config, out);
            } catch (CommandFailed | IOException e) {
                Files.deleteIfExists(next);
                throw e;
            }
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
            return "The embedded database is dumped to " + file + ", " + Files.size(file) + " bytes";
        });
    }

    @Override
    public String load(@Nullable Path config, Path file) {
        if (!Files.isReadable(file)) {
            throw new CommandFailed(ExitCode.FAILED, file + " cannot be read");
        }
        Path dir = directory(config);
        return told(() -> {
            requireUserOf(dir.resolveSibling("nodes"));
            try (EmbeddedDatabase database = EmbeddedDatabase.start(dir)) {
                Upkeep.load(database, file);
                return "The dump is loaded into " + dir + "; start the nodes";
            }
        });
    }

    /** Refuses another user than the node's: a database created by one is of no use to the node. */
    private static void requireUserOf(Path nodes) throws IOException {
        if (Files.isDirectory(nodes)
                && !Files.getAttribute(nodes, "unix:uid").equals(Files.getAttribute(SELF, "unix:uid"))) {
            String user = Files.getOwner(nodes).getName();
            throw new CommandFailed(
                    ExitCode.FAILED,
                    "the node of " + nodes.getParent() + " runs as " + user
                            + ": run this as that user, such as by sudo -u " + user);
        }
    }

    private Path directory(@Nullable Path config) {
        return configs.apply(config).dataDir().resolve("mariadb");
    }

    private Path existing(@Nullable Path config) {
        Path dir = directory(config);
        if (!EmbeddedDatabase.exists(dir)) {
            throw new CommandFailed(
                    ExitCode.UNAVAILABLE,
                    "there is no embedded database under " + dir + " (data.dir, ROWLOCK_DATA_DIR)");
        }
        return dir;
    }

    private static <R> R told(EmbeddedWork<R> work) {
        try {
            return work.done();
        } catch (EmbeddedDatabaseProblem e) {
            throw new CommandFailed(ExitCode.UNAVAILABLE, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new CommandFailed(ExitCode.FAILED, "a file cannot be read or written: " + said(e));
        }
    }

    private static String said(IOException e) {
        String message = String.valueOf(e.getMessage());
        String reason = TextReader.reason(e);
        return reason.equals(message) ? message : message + ": " + reason;
    }
}
