package dev.rowlock.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Callers who want nothing but to keep others out, beside a campaign: they read no answers, send their bodies or headers
 * byte by byte, and take all streams. Those without a token have an address of their own, as strangers have. Meanwhile
 * somebody asks whether the node lives.
 */
final class SlowCallers implements AutoCloseable {

    /** On this machine, too: 127.0.0.2. */
    private static final byte[] ELSEWHERE = {127, 0, 0, 2};

    private static final Duration TICK = Duration.ofMillis(50);
    /** Each is longer than the node waits for it. */
    private static final Duration LIFE = Duration.ofSeconds(8);

    private final int port;
    private final List<Slow> all = new ArrayList<>();
    private final AtomicLong slowestNanos = new AtomicLong();
    private final List<Thread> threads;
    private volatile boolean over;

    /** @param token of a viewer who does nothing else */
    SlowCallers(int port, int many, String token) {
        this.port = port;
        List<Kind> kinds = kinds(port, token);
        for (int i = 0; i < many; i++) {
            all.add(new Slow(kinds.get(i % kinds.size()), i));
        }
        threads = List.of(new Thread(this::annoy, "slow callers"), new Thread(this::ask, "asks for life"));
        threads.forEach(Thread::start);
    }

    /** The slowest answer to whether the node lives, the fastest of three each time, as the machine has other work. */
    long slowestMillis() {
        return slowestNanos.get() / 1_000_000;
    }

    /**
     * What one sends.
     *
     * @param more sent byte by byte after that; empty: nothing
     */
    private record Kind(boolean known, String sent, String more) {}

    private static List<Kind> kinds(int port, String token) {
        String host = "Host: 127.0.0.1:" + port + "\r\n";
        String viewer = host + "Authorization: Bearer " + token + "\r\n";
        String json = "Content-Type: application/json\r\n";
        String end = "\r\n";
        String spaces = " ".repeat(4_000);
        return List.of(
                new Kind(false, ("GET /ui/x/vendor/yaml.js HTTP/1.1\r\n" + host + end).repeat(40), ""),
                new Kind(false, ("GET /openapi.yaml HTTP/1.1\r\n" + host + end).repeat(40), ""),
                new Kind(false, ("GET /api/v1/nowhere HTTP/1.1\r\n" + host + end).repeat(200), ""),
                new Kind(
                        false,
                        "POST /api/v1/session HTTP/1.1\r\n" + host + json + "Content-Length: 4000\r\n\r\n",
                        spaces),
                new Kind(false, "GET /api/v1/jobs HTTP/1.1\r\nX-Slow: ", spaces),
                new Kind(true, ("GET /api/v1/jobs?limit=1000 HTTP/1.1\r\n" + viewer + end).repeat(40), ""),
                new Kind(
                        true,
                        "POST /api/v1/plan HTTP/1.1\r\n" + viewer + json + "Content-Length: 200000\r\n\r\n{",
                        spaces),
                new Kind(
                        true,
                        "POST /api/v1/plan HTTP/1.1\r\n" + viewer + json + "Content-Length: 200000\r\n\r\n"
                                + " ".repeat(100_000),
                        spaces),
                new Kind(true, "GET /api/v1/events HTTP/1.1\r\n" + viewer + end, ""),
                new Kind(true, "GET /api/v1/events HTTP/1.1\r\n" + viewer + end, ""));
    }

    private final class Slow {

        private final Kind kind;
        private @Nullable SocketChannel connection;
        private ByteBuffer left = ByteBuffer.allocate(0);
        private int dripped;
        private long endNanos;

        Slow(Kind kind, int number) {
            this.kind = kind;
            this.endNanos = System.nanoTime() + TICK.multipliedBy(number % 20).toNanos();
        }

        void tick() {
            try {
                if (System.nanoTime() - endNanos >= 0) {
                    hangUp();
                    begin();
                }
                SocketChannel open = connection;
                if (open == null || !open.finishConnect()) {
                    return;
                }
                if (left.hasRemaining()) {
                    open.write(left);
                } else if (dripped < kind.more().length()) {
                    open.write(ByteBuffer.wrap(new byte[] {(byte) kind.more().charAt(dripped++)}));
                }
            } catch (IOException e) {
                hangUp(); // it was cut off, and comes again
            }
        }

        private void begin() throws IOException {
            endNanos = System.nanoTime() + LIFE.toNanos();
            left = ByteBuffer.wrap(kind.sent().getBytes(StandardCharsets.US_ASCII));
            dripped = 0;
            SocketChannel open = SocketChannel.open();
            connection = open;
            open.setOption(StandardSocketOptions.SO_RCVBUF, 4_096);
            open.bind(new InetSocketAddress(
                    kind.known() ? InetAddress.getLoopbackAddress() : InetAddress.getByAddress(ELSEWHERE), 0));
            open.configureBlocking(false);
            open.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        }

        void hangUp() {
            SocketChannel open = connection;
            connection = null;
            try {
                if (open != null) {
                    open.close();
                }
            } catch (IOException e) {
                assertThat(open.isOpen()).isFalse();
            }
        }
    }

    private void annoy() {
        while (!over) {
            all.forEach(Slow::tick);
            rest(TICK);
        }
        all.forEach(Slow::hangUp);
    }

    private void ask() {
        while (!over) {
            long fastest = Math.min(askOnce(), Math.min(askOnce(), askOnce()));
            slowestNanos.accumulateAndGet(fastest, Math::max);
            rest(TICK.multipliedBy(5));
        }
    }

    /** Over a connection of its own, as whoever watches the node would. */
    private long askOnce() {
        long since = System.nanoTime();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream()
                    .write(("GET /livez HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            byte[] answer = socket.getInputStream().readAllBytes();
            boolean lives = new String(answer, StandardCharsets.US_ASCII).startsWith("HTTP/1.1 200");
            return lives ? System.nanoTime() - since : Long.MAX_VALUE;
        } catch (IOException e) {
            return Long.MAX_VALUE;
        }
    }

    private static void rest(Duration time) {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        over = true;
        for (Thread thread : threads) {
            try {
                thread.join(30_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
