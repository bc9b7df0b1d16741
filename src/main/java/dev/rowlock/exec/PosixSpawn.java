package dev.rowlock.exec;

import com.sun.jna.LastErrorException;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.IntByReference;
import dev.rowlock.exec.output.Outflow;
import java.io.File;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Spawning with posix_spawn(3) of the C library, which creates the process session itself: no helper program of Java's
 * and no {@code setsid} comes first. Needs glibc 2.34 on a 64-bit machine.
 */
final class PosixSpawn implements Spawner {

    private static final Logger LOG = LoggerFactory.getLogger(PosixSpawn.class);

    /** Machines on which the flags and the numbers of signals are those used here. */
    private static final Set<String> MACHINES = Set.of("amd64", "aarch64");

    private static final int O_RDONLY = 0;
    private static final short SETSIGDEF = 0x04;
    private static final short SETSIGMASK = 0x08;
    private static final short SETSID = 0x80;
    private static final int EINTR = 4;
    /** Error that is the command's own doing. */
    private static final int E2BIG = 7;

    private static final int SIGCHLD = 17;
    /** Bytes that no structure of the C library used here exceeds. */
    private static final int STRUCTURE = 512;

    private static final File ROOT = new File("/");

    private final OutputPipes pipes = new OutputPipes();
    private final Pointer attributes;
    private final Charset pathCharset = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));

    private PosixSpawn() {
        // A parent that ignored it would make the kernel throw exit codes away; Java sees to the same for its own.
        LibC.signal(SIGCHLD, Pointer.NULL);
        attributes = new Memory(STRUCTURE);
        check(LibC.posix_spawnattr_init(attributes));
        check(LibC.posix_spawnattr_setflags(attributes, (short) (SETSID | SETSIGDEF | SETSIGMASK)));
        try (Memory signals = new Memory(STRUCTURE)) {
            check(LibC.sigemptyset(signals));
            check(LibC.posix_spawnattr_setsigmask(attributes, signals));
            check(LibC.sigfillset(signals));
            check(LibC.posix_spawnattr_setsigdefault(attributes, signals));
        }
    }

    /** Configures JNA. Call before anything is linked. */
    static void prepareJna() {
        System.setProperty("jna.nosys", "true"); // the one that is installed may be of another version
        if (System.getProperty("jna.tmpdir") == null) { // instead of a cache in somebody's home directory
            System.setProperty("jna.tmpdir", System.getProperty("java.io.tmpdir"));
        }
    }

    /** Returns why it cannot be called here, for people; empty if it can. */
    static Optional<String> problem() {
        return Optional.ofNullable(Capability.PROBLEM);
    }

    /** Returns the instance. There must be no {@link #problem()}. */
    static PosixSpawn instance() {
        return Objects.requireNonNull(Capability.INSTANCE, () -> "posix_spawn: " + Capability.PROBLEM);
    }

    /** Capability of this host, determined on first use. */
    private static final class Capability {

        static final @Nullable PosixSpawn INSTANCE;
        static final @Nullable String PROBLEM;

        static {
            PosixSpawn instance = null;
            String problem = null;
            String machine = System.getProperty("os.arch", "");
            try {
                if (MACHINES.contains(machine)) {
                    LibC.load();
                    instance = new PosixSpawn();
                } else {
                    problem = "this machine is a " + machine + ", not one of " + MACHINES;
                }
            } catch (Error | RuntimeException e) { // JNA throws plain errors too
                problem = "the C library cannot be called, which needs glibc 2.34 and a temporary directory that allows"
                        + " programs (ROWLOCK_JAVA_OPTS=-Djna.tmpdir=DIRECTORY names another): " + e;
            }
            INSTANCE = instance;
            PROBLEM = problem;
        }

        private Capability() {}
    }

    @Override
    public SpawnedProcess make(Program program) throws IOException {
        OutputPipes.Pipe output = pipes.open(program.output());
        try {
            return new PosixProcess(spawn(program, output.writing()), output);
        } catch (IOException | RuntimeException | Error e) {
            output.close();
            throw e;
        } finally {
            output.closeWriting();
        }
    }

    private record PosixProcess(int pid, Outflow outflow) implements SpawnedProcess {

        @Override
        public int await() {
            return PosixSpawn.await(pid);
        }
    }

    @Override
    public boolean canPass(String text) {
        return true;
    }

    private int spawn(Program program, int output) throws IOException {
        Map<String, String> environment = program.environment();
        List<String> variables = environment.entrySet().stream()
                .map(e -> e.getKey() + "=" + e.getValue())
                .toList();
        try (Memory files = new Memory(STRUCTURE);
                Memory line = strings(program.line());
                Memory environ = strings(variables)) {
            check(LibC.posix_spawn_file_actions_init(files));
            try {
                check(LibC.posix_spawn_file_actions_addopen(files, 0, path(program.input()), O_RDONLY, 0));
                check(LibC.posix_spawn_file_actions_adddup2(files, output, 1));
                check(LibC.posix_spawn_file_actions_adddup2(files, 1, 2));
                check(LibC.posix_spawn_file_actions_addclosefrom_np(files, 3));
                check(LibC.posix_spawn_file_actions_addchdir_np(files, path(ROOT)));
                IntByReference pid = new IntByReference();
                byte[] path = path(new File(program.line().get(0)));
                int error = LibC.posix_spawn(pid, path, files, attributes, line, environ);
                if (error != 0) {
                    String why = "cannot run " + program.line().get(0) + ": " + LibC.strerror(error);
                    throw error == E2BIG ? new IOException(why) : new HostRefused(why);
                }
                return pid.getValue();
            } finally {
                LibC.posix_spawn_file_actions_destroy(files);
            }
        }
    }

    private static int await(int pid) {
        IntByReference status = new IntByReference();
        while (true) {
            try {
                LibC.waitpid(pid, status, 0);
                int how = status.getValue();
                int signal = how & 0x7f;
                return signal == 0 ? (how >> 8) & 0xff : 128 + signal;
            } catch (LastErrorException e) {
                if (e.getErrorCode() != EINTR) {
                    LOG.error("The exit code of process {} is not known", pid, e);
                    return -1;
                }
            }
        }
    }

    private byte[] path(File file) {
        return (file.getPath() + '\0').getBytes(pathCharset);
    }

    /** Returns a null-terminated array of pointers to these texts. */
    private static Memory strings(List<String> texts) throws IOException {
        List<byte[]> all = texts.stream()
                .map(text -> text.getBytes(StandardCharsets.UTF_8))
                .toList();
        long pointers = (all.size() + 1L) * Native.POINTER_SIZE;
        Memory memory = new Memory(
                pointers + all.stream().mapToLong(text -> text.length + 1).sum());
        memory.clear();
        long at = pointers;
        for (int i = 0; i < all.size(); i++) {
            byte[] text = all.get(i);
            if (texts.get(i).indexOf('\0') >= 0) {
                memory.close();
                throw new IOException("a process cannot be given a null character");
            }
            memory.setPointer((long) i * Native.POINTER_SIZE, memory.share(at));
            memory.write(at, text, 0, text.length);
            at += text.length + 1;
        }
        return memory;
    }

    private static void check(int error) {
        if (error != 0) {
            throw new IllegalStateException("the C library refuses: " + LibC.strerror(error));
        }
    }

    /** C library, by its own names. */
    private static final class LibC {

        private LibC() {}

        static void load() {
            prepareJna();
            Native.register(LibC.class, NativeLibrary.getProcess());
        }

        static native int posix_spawn(
                IntByReference pid, byte[] path, Pointer files, Pointer attributes, Pointer line, Pointer environ);

        static native int posix_spawn_file_actions_init(Pointer files);

        static native int posix_spawn_file_actions_destroy(Pointer files);

        static native int posix_spawn_file_actions_addopen(Pointer files, int fd, byte[] path, int flags, int mode);

        static native int posix_spawn_file_actions_adddup2(Pointer files, int fd, int as);

        static native int posix_spawn_file_actions_addchdir_np(Pointer files, byte[] path);

        static native int posix_spawn_file_actions_addclosefrom_np(Pointer files, int from);

        static native int posix_spawnattr_init(Pointer attributes);

        static native int posix_spawnattr_setflags(Pointer attributes, short flags);

        static native int posix_spawnattr_setsigmask(Pointer attributes, Pointer signals);

        static native int posix_spawnattr_setsigdefault(Pointer attributes, Pointer signals);

        static native int sigemptyset(Pointer signals);

        static native int sigfillset(Pointer signals);

        static native Pointer signal(int signal, @Nullable Pointer handler);

        static native int waitpid(int pid, IntByReference status, int options) throws LastErrorException;

        static native String strerror(int error);
    }
}
