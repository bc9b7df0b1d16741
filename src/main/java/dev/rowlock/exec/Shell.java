package dev.rowlock.exec;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes a process of a command: {@code bash -c command} in a process session and an environment of its own, behind the
 * gate.
 *
 * <p>The gate is a few lines that bash reads first, from its standard input, because {@code BASH_ENV} names that. So
 * the command stays word for word what {@code bash -c} was given: line numbers, {@code $0}, syntax errors and {@code
 * ps}.
 */
final class Shell implements Launcher.Starter {

    private static final List<String> BIN =
            List.of("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin");
    static final String PATH = String.join(":", BIN);
    private static final Map<String, String> PROGRAMS = new ConcurrentHashMap<>();

    private final Path gate;
    private final SpawnMethod method;
    private final ChildThreads threads = new ChildThreads();

    /** @param gate where to keep the gate's text */
    Shell(Path gate, SpawnMethod method) throws IOException {
        this.method = method;
        String text = resource("gate.sh");
        if (!Files.exists(gate) || !Files.readString(gate).equals(text)) { // a disk that is full does not stop a start
            Files.writeString(gate, text);
        }
        this.gate = gate.toRealPath();
    }

    @Override
    public void prepare() {
        method.prepare();
    }

    /** As the kernel names it. */
    @Override
    public Path gate() {
        return gate;
    }

    /**
     * Touches nothing of what the job names, such as its working directory: it may hang.
     *
     * @param gateDeadlineMillis on the scale of {@link Uptime#millis()}; what has not passed the gate by then does not
     * @throws IOException with a message for people if no process could be made
     */
    @Override
    public Child start(LaunchSpec spec, long gateDeadlineMillis, @Nullable Path output) throws IOException {
        Spawner spawner = method.spawner();
        try {
            return threads.spawn(
                    spawner, program(spec, gateDeadlineMillis, spawner, output == null ? null : output.toFile()));
        } catch (IOException e) {
            PROGRAMS.clear(); // one of them may have been moved
            throw e;
        }
    }

    static String bash() throws IOException {
        return program("bash");
    }

    static String setsid() throws IOException {
        return program("setsid");
    }

    static String resource(String name) {
        try (InputStream in = Shell.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the program is incomplete: " + name + " is not in it");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("cannot read " + name, e);
        }
    }

    private Spawner.Program program(LaunchSpec spec, long gateDeadlineMillis, Spawner spawner, @Nullable File output)
            throws IOException {
        Map<String, String> wanted = new HashMap<>();
        wanted.put("PATH", PATH);
        wanted.put("HOME", home());
        wanted.put("LANG", "C.UTF-8");
        wanted.putAll(spec.environment());
        wanted.put("ROWLOCK_LAUNCH_ID", spec.launchId().text());
        wanted.put("ROWLOCK_SESSION", spec.sessionId());

        Map<String, String> plain = new HashMap<>();
        List<String> others = new ArrayList<>();
        wanted.forEach((name, value) -> {
            if (sways(name) || !spawner.canPass(name + value)) {
                others.add(name + "=" + value);
            } else {
                plain.put(name, value);
            }
        });
        plain.put("BASH_ENV", "/proc/self/fd/0");
        plain.put("ROWLOCK_GATE_DEADLINE", Long.toString(gateDeadlineMillis));
        if (spec.workdir() == null) {
            plain.put("ROWLOCK_GATE_HOME", home());
        } else {
            plain.put("ROWLOCK_GATE_WORKDIR", spec.workdir().toString());
        }
        if (output == null) {
            plain.put("ROWLOCK_GATE_MUTE", "1");
        }
        boolean direct = others.isEmpty() && spawner.canPass(spec.command());
        String command = direct ? spec.command() : roundabout(others, spec.command());
        return new Spawner.Program(List.of(bash(), "-c", command), plain, gate.toFile(), output);
    }

    /** Whether this variable would change what bash does before it comes to the gate. */
    private static boolean sways(String name) {
        return switch (name) {
            case "BASH_ENV",
                    "ENV",
                    "POSIXLY_CORRECT",
                    "SSH_CLIENT",
                    "SSH2_CLIENT",
                    "SHELLOPTS",
                    "BASHOPTS",
                    "BASH_COMPAT" -> true;
            default -> name.startsWith("BASH_FUNC_") || name.startsWith("LD_");
        };
    }

    /** A first shell, behind the gate, becomes the command's shell with what could not be given to it directly. */
    private static String roundabout(List<String> variables, String command) throws IOException {
        StringBuilder script = new StringBuilder("exec ").append(program("env"));
        variables.forEach(variable -> script.append(' ').append(quoted(variable)));
        return script.append(' ')
                .append(bash())
                .append(" -c ")
                .append(quoted(command))
                .toString();
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

    private static String home() {
        String home = System.getProperty("user.home", "/");
        return home.startsWith("/") ? home : "/";
    }

    /** Where it lies; looked up once, as it costs as much as making the process. */
    private static String program(String name) throws IOException {
        String known = PROGRAMS.get(name);
        if (known != null) {
            return known;
        }
        for (String dir : BIN) {
            if (Files.isExecutable(Path.of(dir, name))) {
                PROGRAMS.put(name, dir + "/" + name);
                return dir + "/" + name;
            }
        }
        throw new IOException(name + " is not installed: it is in none of " + PATH);
    }
}
