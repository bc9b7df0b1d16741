package dev.rowlock.job;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a job's {@code secretEnv} takes a secret from.
 *
 * @param what the name of a stored secret of the job's namespace, the path of a file, or the name of a variable
 */
public record SecretReference(Kind kind, String what) {

    /** Where a secret may lie. */
    public enum Kind {
        /** In the database. */
        STORED,
        /** In a file of the node that runs the command. */
        FILE,
        /** In a variable of the daemon that runs the command. */
        VARIABLE
    }

    private static final String FILE = "file:";
    private static final String VARIABLE = "env:";
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,254}");

    /** Reads what has no {@link #problem}. */
    public static SecretReference parse(String text) {
        if (text.startsWith(FILE)) {
            return new SecretReference(Kind.FILE, text.substring(FILE.length()));
        }
        return text.startsWith(VARIABLE)
                ? new SecretReference(Kind.VARIABLE, text.substring(VARIABLE.length()))
                : new SecretReference(Kind.STORED, text);
    }

    /** What is wrong with a text; null if nothing is. */
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
