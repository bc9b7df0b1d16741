package dev.rowlock.definition;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Source of a secret in a job's {@code secretEnv}.
 *
 * @param what the name of a stored secret of the job's namespace, the path of a file, or the name of a variable
 */
public record SecretReference(ReferenceKind kind, String what) {

    /** Kind of place where a secret is kept. */
    public enum ReferenceKind {
        /** The database. */
        STORED,
        /** A file of the node that runs the command. */
        FILE,
        /** A variable of the daemon that runs the command. */
        VARIABLE
    }

    private static final String FILE = "file:";
    private static final String VARIABLE = "env:";
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,254}");

    /** Parses a text without a {@link #problem}. */
    public static SecretReference parse(String text) {
        if (text.startsWith(FILE)) {
            return new SecretReference(ReferenceKind.FILE, text.substring(FILE.length()));
        }
        return text.startsWith(VARIABLE)
                ? new SecretReference(ReferenceKind.VARIABLE, text.substring(VARIABLE.length()))
                : new SecretReference(ReferenceKind.STORED, text);
    }

    /** Returns what is wrong with a text; null if nothing is. */
    static @Nullable String problem(String text) {
        SecretReference reference = parse(text);
        return switch (reference.kind) {
            case FILE ->
                reference.what.startsWith("/") && !(reference.what + "/").contains("/../")
                        ? null
                        : "must be an absolute path behind file:, without '..'";
            case VARIABLE ->
                NAME.matcher(reference.what).matches() ? null : "must be the name of a variable behind env:";
            case STORED ->
                Names.secretProblem(text) == null
                        ? null
                        : "must be the name of a secret (1 to 128 characters of A-Z, a-z, 0-9, dot, underscore and"
                                + " hyphen), file:/PATH or env:NAME";
        };
    }
}
