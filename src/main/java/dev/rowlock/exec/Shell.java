package dev.rowlock.exec;

import dev.rowlock.exec.Launcher.ProcessStarter;
import dev.rowlock.exec.output.Outflow;
import dev.rowlock.exec.process.ControlGroups;
import dev.rowlock.exec.process.Uptime;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Starter of processes: {@code bash -c command} in a process session and an environment of its own, behind the gate.
 *
 * <p>The gate is a few lines that bash reads first, from its standard input, because {@code BASH_ENV} names that. So
 * the command stays word for word what {@code bash -c} was given: line numbers, {@code $0}, syntax errors and
 * {@code ps}.
 */
public final class Shell implements ProcessStarter {

    private static final List<String> BIN =
            List.of("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin");
    static final String PATH = String.join(":", BIN);
    private static final Map<String, String> PROGRAMS = new ConcurrentHashMap<>();
    private static final Set<PosixFilePermission> FOR_ALL = PosixFilePermissions.fromString("rw-r--r--");

    private final Path gate;
    private final String text;
    private final SpawnMethod method;
    private final ChildThreads threads = new ChildThreads();
    private final ControlGroups groups;
    private final @Nullable String openFiles;

    /** @param gate where to keep the gate's text */
    public Shell(Path gate, SpawnMethod method) throws IOException {
        this(gate, method, ControlGroups.ofThisProcess(), System.getProperty("rowlock.open-files"));
    }

    /** @param openFiles the limit of open files that commands begin with; null: that of this process, raised by Java */
    public Shell(Path gate, SpawnMethod method, ControlGroups groups, @Nullable String openFiles) throws IOException {
        this.openFiles = openFiles;
        this.method = method;
        this.groups = groups;
        this.text = resource("gate.sh");
        write(gate);
        this.gate = gate.toRealPath();
        Provision.sweep(directory());
    }

    private void write(Path file) throws IOException {
        if (!Files.exists(file) || !Files.readString(file).equals(text)) { // a disk that is full does not stop a start
            Files.writeString(file, text);
        }
        if (!Files.getPosixFilePermissions(file).containsAll(FOR_ALL)) { // other users' shells read it, too
            Files.setPosixFilePermissions(file, FOR_ALL);
        }
    }

    /** Rewrites the gate if it is gone: it is among outputs, which people delete to free space. */
    private void requireGate() throws HostRefused {
        try {
            if (!Files.exists(gate)) {
                Files.createDirectories(directory());
                write(gate);
            }
        } catch (IOException e) {
            throw new HostRefused(
                    "what every shell begins with, " + gate + ", is gone and cannot be written: " + e.getMessage(), e);
        }
    }

    private Path directory() {
        return Objects.requireNonNull(gate.getParent());
    }

    @Override
    public void prepare() {
        method.prepare();
    }

    /** Returns the gate, as the kernel names it. */
    @Override
    public Path gate() {
        return gate;
    }

    /**
     * Starts a process. Touches nothing that the job names, such as its working directory, as that may hang.
     *
     * @param gateDeadlineMillis on the scale of {@link Uptime#millis()}; what has not passed the gate by then does not
     * @throws IOException with a message for people if no process could be made
     */
    @Override
    public Child start(LaunchSpec spec, long gateDeadlineMillis, Outflow.Sink output) throws IOException {
        requireGate();
        Spawner spawner = method.spawner();
        Provision provision = Provision.of(spec, directory(), groups);
        try {
            ShellLine line = new ShellLine(spec, provision, openFiles, spawner::canPass);
            Spawner.Program program =
                    new Spawner.Program(line.arguments(), line.environment(gateDeadlineMillis), gate.toFile(), output);
            return threads.spawn(spawner, program).with(provision);
        } catch (IOException e) {
            provision.takeBack();
            PROGRAMS.clear(); // one of them may have been moved
            throw e;
        }
    }

    static String bash() throws IOException {
        return needed("bash");
    }

    static String setsid() throws IOException {
        return needed("setsid");
    }

    /** Returns a program that this host can run nothing without. */
    private static String needed(String name) throws IOException {
        try {
            return program(name);
        } catch (IOException e) {
            throw new HostRefused(String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public void probe() throws IOException {
        Outflow.Sink nobody = bytes -> {};
        threads.spawn(
                method.spawner(), new Spawner.Program(List.of(bash(), "-c", ":"), Map.of(), gate.toFile(), nobody));
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

    static String home() {
        String home = System.getProperty("user.home", "/");
        return home.startsWith("/") ? home : "/";
    }

    /** Returns the path of a program; looked up once, as that costs as much as creating the process. */
    static String program(String name) throws IOException {
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
