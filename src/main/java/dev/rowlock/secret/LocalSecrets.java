package dev.rowlock.secret;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Secrets on this node: in files of the directories of {@code secrets.files}, and in those variables of the daemon that
 * {@code secrets.env} names. There are none by default, as otherwise whoever may define jobs could read every file that
 * the daemon can. Thread-safe.
 */
public final class LocalSecrets {

    public static final LocalSecrets NONE = new LocalSecrets(List.of(), List.of(), Map.of());

    private final List<Path> directories;
    private final List<String> names;
    private final Map<String, String> variables;

    /**
     * @param directories absolute
     * @param names of variables that may be asked for
     * @param environment of the daemon; others than these are not kept
     */
    public LocalSecrets(List<Path> directories, List<String> names, Map<String, String> environment) {
        this.directories = List.copyOf(directories);
        this.names = List.copyOf(names);
        this.variables = new HashMap<>(environment);
        this.variables.keySet().retainAll(names);
    }

    /** Returns a file that is read when a command is started; its last line feed is no part of the secret. */
    public SecretSource file(Path file) {
        return () -> {
            Path real = allowed(file);
            if (!Files.isRegularFile(real)) {
                throw new IOException("the file " + file + " of its secretEnv is not a regular file");
            }
            return checked("the file " + file, withoutLineFeed(read(file, real)));
        };
    }

    /** Returns a variable of the daemon. */
    public SecretSource variable(String name) {
        return () -> {
            if (!names.contains(name)) {
                throw new IOException("its secretEnv asks for the variable " + name
                        + " of the daemon, which secrets.env" + " (ROWLOCK_SECRETS_ENV) does not allow on this node");
            }
            String value = variables.get(name);
            if (value == null) {
                throw new IOException("its secretEnv asks for the variable " + name
                        + " of the daemon, which is not set on this node");
            }
            return checked("the variable " + name + " of the daemon", value);
        };
    }

    /**
     * Returns the real path of an allowed file. Links are followed first: one that leads out of the directories is
     * refused.
     */
    private Path allowed(Path file) throws IOException {
        Path normal = file.normalize();
        if (directories.stream().noneMatch(normal::startsWith)) {
            throw new IOException("its secretEnv asks for the file " + file + ", which lies in no directory that"
                    + " secrets.files (ROWLOCK_SECRETS_FILES) allows on this node");
        }
        try {
            Path real = normal.toRealPath();
            for (Path directory : directories) {
                if (Files.isDirectory(directory) && real.startsWith(directory.toRealPath())) {
                    return real;
                }
            }
        } catch (NoSuchFileException e) {
            throw new IOException("the file " + file + " of its secretEnv does not exist on this node");
        }
        throw new IOException("the file " + file + " of its secretEnv is a link that leads out of the directories that"
                + " secrets.files allows on this node");
    }

    private static String read(Path file, Path real) throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(real)) {
            bytes = in.readNBytes(SecretValue.MAX_BYTES + 2);
        } catch (IOException e) {
            throw new IOException("the file " + file + " of its secretEnv cannot be read: " + e.getMessage(), e);
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IOException("the file " + file + " of its secretEnv is not UTF-8, or longer than "
                    + SecretValue.MAX_BYTES + " bytes; encode it, for instance in base64");
        }
    }

    private static String withoutLineFeed(String text) {
        return text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    }

    private static SecretValue checked(String what, String value) throws IOException {
        Optional<String> problem = SecretValue.problem(value);
        if (problem.isPresent()) {
            throw new IOException("the secret in " + what + " " + problem.get());
        }
        return SecretValue.of(value);
    }
}
