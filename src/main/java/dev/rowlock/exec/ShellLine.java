package dev.rowlock.exec;

import dev.rowlock.definition.Command;
import dev.rowlock.definition.CommandShell;
import dev.rowlock.secret.SecretValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Command line and environment of a command's shell. If the command's own shell is not enough, one that becomes another
 * is used: before the gate to run as somebody else or under limits ({@code options.sh}), behind it if the command is
 * for another program, or has variables that would sway bash.
 */
final class ShellLine {

    private static final String BECOME = "exec -- \"$@\"";
    private static final String OPTIONS = Shell.resource("options.sh");

    private final LaunchSpec spec;
    private final RunOptions options;
    private final Provision provision;
    private final @Nullable String openFiles;
    private final Predicate<String> canPass;
    private final Map<String, String> plain = new HashMap<>();
    /** Variables that only the command may see. */
    private final Map<String, String> others = new HashMap<>();

    /**
     * @param openFiles the limit of open files, unless the job says one; null: what is inherited
     * @param canPass whether a text can be an argument or a variable
     * @throws IOException a secret could not be had, or only be given where others can read it
     */
    ShellLine(LaunchSpec spec, Provision provision, @Nullable String openFiles, Predicate<String> canPass)
            throws IOException {
        this.spec = spec;
        this.options = spec.options();
        this.provision = provision;
        this.openFiles = openFiles;
        this.canPass = canPass;
        Map<String, String> wanted = new HashMap<>();
        wanted.put("PATH", Shell.PATH);
        wanted.put("HOME", Shell.home());
        wanted.put("LANG", "C.UTF-8");
        wanted.putAll(spec.environment());
        wanted.put("ROWLOCK_LAUNCH_ID", spec.launchId().text());
        wanted.put("ROWLOCK_SESSION", spec.sessionId());
        wanted.forEach((name, value) -> (sways(name) || !canPass.test(name + value) ? others : plain).put(name, value));
        putSecrets();
    }

    /** Adds secrets to the environment, never to the others, which become arguments: everybody can read those. */
    private void putSecrets() throws IOException {
        for (Map.Entry<String, SecretValue> secret : spec.readSecrets().entrySet()) {
            String name = secret.getKey();
            String value = secret.getValue().reveal();
            if (sways(name) || !canPass.test(name + value)) {
                throw new IOException("secretEnv." + name + " cannot be given to it without being seen: "
                        + (sways(name)
                                ? "the variable would change how its shell starts"
                                : "with exec.spawn PROCESS_BUILDER, a JVM that does not run in UTF-8 passes ASCII only;"
                                        + " start the node with LANG=C.UTF-8"));
            }
            others.remove(name);
            plain.put(name, value);
        }
    }

    Map<String, String> environment(long gateDeadlineMillis) throws IOException {
        Map<String, String> all = new HashMap<>(plain);
        all.put("ROWLOCK_GATE_WORD", Gate.WORD);
        all.put("ROWLOCK_GATE_DEADLINE", Long.toString(gateDeadlineMillis));
        if (spec.workdir() == null) {
            all.put("ROWLOCK_GATE_HOME", Shell.home());
        } else {
            all.put("ROWLOCK_GATE_WORKDIR", spec.workdir().toString());
        }
        if (openFiles != null && options.limits().openFiles() == null) {
            all.put("ROWLOCK_GATE_OPEN_FILES", openFiles);
        }
        if (options.needsFirstShell()) {
            putOptions(all);
        } else {
            all.put("BASH_ENV", "/proc/self/fd/0");
        }
        return all;
    }

    /** Adds everything that {@code options.sh} needs. */
    private void putOptions(Map<String, String> all) throws IOException {
        if (options.user() != null) {
            all.put("ROWLOCK_GATE_USER", options.user());
            all.put(
                    "ROWLOCK_GATE_NAMES",
                    Stream.of("HOME", "USER", "LOGNAME")
                            .filter(name -> !spec.environment().containsKey(name)
                                    && !spec.secrets().containsKey(name))
                            .collect(Collectors.joining(" ")));
            all.put("ROWLOCK_GATE_GETENT", Shell.program("getent"));
            all.put("ROWLOCK_GATE_SETPRIV", Shell.program("setpriv"));
            all.put("ROWLOCK_GATE_CHOWN", Shell.program("chown"));
        }
        if (options.nice() != null) {
            all.put("ROWLOCK_GATE_NICE", options.nice().toString());
            all.put("ROWLOCK_GATE_NICE_PROGRAM", Shell.program("nice"));
        }
        if (options.umask() != null) {
            all.put("ROWLOCK_GATE_UMASK", options.umask());
        }
        if (provision.text() != null) {
            all.put("ROWLOCK_GATE_TEXT", provision.text().toString());
            all.put("ROWLOCK_GATE_RM", Shell.program("rm"));
        }
        putLimits(all);
    }

    private void putLimits(Map<String, String> all) {
        if (options.limits().openFiles() != null) {
            all.put("ROWLOCK_GATE_FILES", options.limits().openFiles().toString());
        }
        if (options.limits().processes() != null) {
            all.put("ROWLOCK_GATE_PROCESSES", options.limits().processes().toString());
        }
        if (options.limits().cpuTime() != null) {
            all.put(
                    "ROWLOCK_GATE_SECONDS",
                    Long.toString(
                            options.limits().cpuTime().plusNanos(999_999_999).toSeconds()));
        }
        if (provision.group() != null) {
            all.put("ROWLOCK_GATE_CGROUP", provision.group().directory().toString());
        } else if (options.limits().memory() != null) {
            all.put("ROWLOCK_GATE_KIB", Long.toString(options.limits().memory() / 1024));
        }
    }

    List<String> arguments() throws IOException {
        List<String> line = ownShell();
        if (options.needsFirstShell()) {
            List<String> first = new ArrayList<>(List.of(Shell.bash(), "-c", OPTIONS, "rowlock"));
            first.addAll(line);
            return first;
        }
        return line;
    }

    /** Returns the shell that reads the gate, and then is or becomes the command. */
    private List<String> ownShell() throws IOException {
        List<String> wanted = wanted(spec.command(), options.shell());
        if (!others.isEmpty() || !wanted.stream().allMatch(canPass)) {
            return List.of(Shell.bash(), "-c", roundabout(wanted));
        }
        if (options.shell() == CommandShell.BASH) {
            return wanted;
        }
        List<String> becoming = new ArrayList<>(List.of(Shell.bash(), "-c", BECOME, "rowlock"));
        becoming.addAll(wanted);
        return becoming;
    }

    private static List<String> wanted(Command command, CommandShell shell) throws IOException {
        if ((command.text() == null) != (shell == CommandShell.NONE)) { // the job was changed after a run was asked for
            throw new IOException(
                    command.text() == null
                            ? "its command is a list of arguments, but the job has a shell by now"
                            : "its command is for a shell, but the job has none by now");
        }
        return switch (shell) {
            case BASH -> List.of(Shell.bash(), "-c", command.toString());
            case SH -> List.of(Shell.program("sh"), "-c", command.toString());
            case NONE -> command.arguments();
        };
    }

    /**
     * Returns a script by which a first shell, behind the gate, becomes the command with what could not be given to it
     * directly.
     */
    private String roundabout(List<String> wanted) throws IOException {
        StringBuilder script = new StringBuilder("exec ").append(Shell.program("env"));
        others.forEach((name, value) -> script.append(' ').append(quoted(name + "=" + value)));
        wanted.forEach(argument -> script.append(' ').append(quoted(argument)));
        return script.toString();
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("$'");
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            if (b < 0) {
                quoted.append(String.format(Locale.ROOT, "\\%03o", b & 0xff));
            } else if (b == '\'' || b == '\\') {
                quoted.append('\\').append((char) b);
            } else {
                quoted.append((char) b);
            }
        }
        return quoted.append('\'').toString();
    }

    /**
     * Returns whether a variable would change what bash does before it comes to the gate, or what a program of root
     * does.
     */
    private boolean sways(String name) {
        return switch (name) {
            case "BASH_ENV",
                    "ENV",
                    "POSIXLY_CORRECT",
                    "SSH_CLIENT",
                    "SSH2_CLIENT",
                    "SHELLOPTS",
                    "BASHOPTS",
                    "BASH_COMPAT" -> true;
            // Those that the C library ignores itself in programs that run with more rights than whoever started them.
            case "GCONV_PATH",
                    "GETCONF_DIR",
                    "GLIBC_TUNABLES",
                    "HOSTALIASES",
                    "LOCALDOMAIN",
                    "LOCPATH",
                    "NIS_PATH",
                    "NLSPATH",
                    "RESOLV_HOST_CONF",
                    "RES_OPTIONS",
                    "TMPDIR",
                    "TZDIR" -> options.user() != null;
            default ->
                name.startsWith("BASH_FUNC_")
                        || name.startsWith("LD_")
                        || (options.user() != null && name.startsWith("MALLOC_"));
        };
    }
}
