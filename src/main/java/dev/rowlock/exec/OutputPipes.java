package dev.rowlock.exec;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.IntByReference;
import dev.rowlock.exec.output.Outflow;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Pipes that processes write into, and the one thread that reads all of them. */
final class OutputPipes implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(OutputPipes.class);

    private static final int O_NONBLOCK = 0x800;
    private static final int O_CLOEXEC = 0x80000;
    private static final int F_SETFL = 4;
    private static final long FIONREAD = 0x541b;
    private static final int EPOLL_CTL_ADD = 1;
    private static final int EPOLL_CTL_DEL = 2;
    private static final int EPOLLIN = 1;

    /** Capacity of a pipe, unless a command asks the kernel for more. */
    private static final int CHUNK = 64 << 10;

    private static final int EVENTS = 64;
    /** Whether {@code struct epoll_event} is packed, as on x86-64 alone. */
    private static final boolean PACKED = System.getProperty("os.arch", "").equals("amd64");

    private static final int EVENT = PACKED ? 12 : 16;
    private static final int EVENT_DATA = PACKED ? 4 : 8;

    private final int epoll;
    private final Map<Long, Pipe> pipes = new ConcurrentHashMap<>();
    private final AtomicLong names = new AtomicLong();

    OutputPipes() {
        PipeLibC.load();
        epoll = PipeLibC.epoll_create1(O_CLOEXEC);
        if (epoll < 0) {
            throw new IllegalStateException("pipes cannot be watched: error " + Native.getLastError());
        }
        Thread thread = new Thread(null, this, "rowlock-pipes", CHUNK * 4L);
        thread.setDaemon(true);
        thread.start();
    }

    /** Creates a pipe whose output goes to this sink. */
    Pipe open(Outflow.Sink sink) throws IOException {
        int[] ends = new int[2];
        if (PipeLibC.pipe2(ends, O_CLOEXEC) != 0) {
            throw new HostRefused("there can be no pipe for its output: error " + Native.getLastError());
        }
        PipeLibC.fcntl(ends[0], F_SETFL, O_NONBLOCK);
        Pipe pipe = new Pipe(names.incrementAndGet(), ends[0], ends[1], sink);
        pipes.put(pipe.name, pipe);
        try (Memory event = new Memory(EVENT)) {
            event.setInt(0, EPOLLIN);
            event.setLong(EVENT_DATA, pipe.name);
            if (PipeLibC.epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], event) != 0) {
                int error = Native.getLastError();
                pipe.close();
                pipe.closeWriting();
                throw new HostRefused("the pipe for its output cannot be watched: error " + error);
            }
        }
        return pipe;
    }

    @Override
    public void run() {
        Memory events = new Memory((long) EVENTS * EVENT);
        Memory chunk = new Memory(CHUNK);
        ByteBuffer view = chunk.getByteBuffer(0, CHUNK);
        while (true) {
            int count = PipeLibC.epoll_wait(epoll, events, EVENTS, -1);
            for (int i = 0; i < count; i++) {
                Pipe pipe = pipes.get(events.getLong((long) i * EVENT + EVENT_DATA));
                if (pipe != null) {
                    pipe.read(chunk, view);
                }
            }
            if (count < 0) { // a signal; whatever else it is, this thread must neither end nor spin
                LockSupport.parkNanos(1_000_000);
            }
        }
    }

    /** Pipe. The lock is held while its sink takes something, which may last as long as a disk does. */
    final class Pipe implements Outflow {

        private final long name;
        private final int reading;
        private final int writing;
        private final Sink sink;
        private final CompletableFuture<Void> end = new CompletableFuture<>();
        private final ReentrantLock lock = new ReentrantLock();
        private volatile boolean unwanted;
        private boolean closed;

        private Pipe(long name, int reading, int writing, Sink sink) {
            this.name = name;
            this.reading = reading;
            this.writing = writing;
            this.sink = sink;
        }

        /** Returns the file descriptor to write to. */
        int writing() {
            return writing;
        }

        /** Closes the writing end here. Call once, when the process has its own. */
        void closeWriting() {
            PipeLibC.close(writing);
        }

        private void read(Memory chunk, ByteBuffer view) {
            lock.lock();
            try {
                long n = closed || unwanted ? 0 : PipeLibC.read(reading, chunk, CHUNK);
                if (n > 0) {
                    sink.take(view.clear().limit((int) n));
                }
                if (n == 0 || unwanted) {
                    closeReading();
                }
            } catch (RuntimeException | Error e) {
                LOG.error("What a command has written is lost; its pipe is read on", e);
            } finally {
                lock.unlock();
            }
        }

        private void closeReading() {
            if (!closed) {
                closed = true;
                PipeLibC.epoll_ctl(epoll, EPOLL_CTL_DEL, reading, null);
                PipeLibC.close(reading);
                pipes.remove(name);
                end.complete(null);
            }
        }

        @Override
        public CompletableFuture<Void> end() {
            return end;
        }

        @Override
        public boolean hasUnread() {
            if (!lock.tryLock()) {
                return true; // the sink is at it
            }
            try {
                IntByReference unread = new IntByReference();
                return !closed && PipeLibC.ioctl(reading, FIONREAD, unread) == 0 && unread.getValue() > 0;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() {
            unwanted = true;
            if (lock.tryLock()) { // else whoever has it closes it
                try {
                    closeReading();
                } finally {
                    lock.unlock();
                }
            }
        }
    }

    /** C library, by its own names. */
    private static final class PipeLibC {

        private PipeLibC() {}

        static void load() {
            PosixSpawn.prepareJna();
            Native.register(PipeLibC.class, NativeLibrary.getProcess());
        }

        static native int pipe2(int[] ends, int flags);

        static native int fcntl(int fd, int command, int argument);

        static native int ioctl(int fd, long request, IntByReference argument);

        static native long read(int fd, Pointer to, long most);

        static native int close(int fd);

        static native int epoll_create1(int flags);

        static native int epoll_ctl(int epoll, int operation, int fd, @Nullable Pointer event);

        static native int epoll_wait(int epoll, Pointer events, int most, int timeoutMillis);
    }
}
