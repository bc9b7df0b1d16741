package dev.rowlock.definition;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Rules for names. */
public final class Names {

    /** Label of each node with its name. */
    public static final String NODE_LABEL = "rowlock.dev/node";

    /** Label of each node with its host. */
    public static final String HOST_LABEL = "rowlock.dev/host";

    /** Longest value of a label. */
    public static final int LONGEST_LABEL = 63;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]+");
    private static final Pattern LABEL = Pattern.compile("[A-Za-z0-9._/-]{1,63}");
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,254}");
    /** Variables that a command gets by way of another program, in whose arguments everybody could read them. */
    private static final Pattern ODD_VARIABLE =
            Pattern.compile("BASH.*|ENV|POSIXLY_CORRECT|SSH2?_CLIENT|SHELLOPTS|LD_.*|MALLOC_.*|GCONV_PATH|GETCONF_DIR"
                    + "|GLIBC_TUNABLES|HOSTALIASES|LOCALDOMAIN|LOCPATH|NIS_PATH|NLSPATH|RESOLV_HOST_CONF|RES_OPTIONS"
                    + "|TMPDIR|TZDIR|PATH|HOME|USER|LOGNAME");

    private Names() {}

    /** Returns what is wrong with a namespace; null if nothing is. */
    public static @Nullable String namespaceProblem(String namespace) {
        return problem(namespace, 64);
    }

    /** Returns what is wrong with the name of a group; null if nothing is. */
    public static @Nullable String groupProblem(String name) {
        return problem(name, 64);
    }

    /** Returns what is wrong with the name of a job; null if nothing is. */
    public static @Nullable String jobProblem(String name) {
        return problem(name, 128);
    }

    /** Returns what is wrong with the name of a secret; null if nothing is. */
    public static @Nullable String secretProblem(String name) {
        return problem(name, 128);
    }

    /** Returns whether a label may have this name. */
    public static boolean isLabel(String name) {
        return LABEL.matcher(name).matches();
    }

    /** Returns what is wrong with a label; null if nothing is. */
    public static @Nullable String labelProblem(String name, String value) {
        if (!isLabel(name)) {
            return "a label's name must be 1 to 63 characters of A-Z, a-z, 0-9, dot, underscore, slash and hyphen";
        }
        return value.length() > LONGEST_LABEL || value.chars().anyMatch(Character::isISOControl)
                ? "must be at most 63 characters, none of them a control character"
                : null;
    }

    /** Returns what is wrong with a variable of the environment; null if nothing is. */
    static @Nullable String variableProblem(String name, String value) {
        if (!VARIABLE.matcher(name).matches()) {
            return "is not the name of a variable: letters, digits and underscores, not beginning with a digit";
        }
        return name.startsWith("ROWLOCK_") ? "variables beginning with ROWLOCK_ are set by Rowlock itself" : null;
    }

    /** Returns what is wrong with an entry of {@code secretEnv}; null if nothing is. */
    static @Nullable String secretVariableProblem(String name, String reference) {
        String problem = variableProblem(name, reference);
        if (problem == null && ODD_VARIABLE.matcher(name).matches()) {
            return "changes how shells and programs start, and cannot hold a secret; take another variable";
        }
        return problem == null ? SecretReference.problem(reference) : problem;
    }

    public static @Nullable String problem(String name, int max) {
        if (name.length() > max || !NAME.matcher(name).matches()) {
            return "must be 1 to " + max + " characters of A-Z, a-z, 0-9, dot, underscore and hyphen";
        }
        return name.equals(".") || name.equals("..")
                ? "must not be '" + name + "': it could not stand in a path"
                : null;
    }
}
