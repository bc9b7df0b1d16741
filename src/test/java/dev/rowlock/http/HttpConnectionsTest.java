package dev.rowlock.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.api.Api;
import dev.rowlock.nodes.Until;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpParser;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.io.RetainableByteBuffer;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What two threads do with a request that is no HTTP, in the order that is the worst for other connections. */
@Tag("database")
@Timeout(120)
class HttpConnectionsTest {

    private static final Duration SOON = Duration.ofSeconds(30);

    @RegisterExtension
    static final Api api = new Api();

    private volatile @Nullable Thread parsing;
    private volatile @Nullable Thread readingOn;
    private volatile boolean holdsBuffer;
    private final CountDownLatch gaveBack = new CountDownLatch(1);
    private final CountDownLatch hasReadOn = new CountDownLatch(1);
    private final Set<String> misused = ConcurrentHashMap.newKeySet();

    @Test
    void no_buffer_is_used_that_may_be_of_another_connection_by_now() throws Exception {
        Server server = new Server(new Threads());
        HttpConnections connections = new HttpConnections(new HttpConfiguration());
        ServerConnector connector = new ServerConnector(server, null, null, new Buffers(), 1, 1, connections);
        connector.setHost(InetAddress.getLoopbackAddress().getHostAddress());
        server.addConnector(connector);
        server.start();
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), connector.getLocalPort())) {
            client.getOutputStream().write("GET /without-a-version\r\n\r\n".getBytes(US_ASCII));

            assertThat(new String(client.getInputStream().readAllBytes(), US_ASCII))
                    .startsWith("HTTP/1.1 505 ");
            assertThat(hasReadOn.await(SOON.toSeconds(), TimeUnit.SECONDS))
                    .as("it was read on")
                    .isTrue();
        } finally {
            server.stop();
        }
        assertThat(gaveBack.getCount()).as("the buffer was given back").isZero();
        assertThat(misused).isEmpty();
    }

    /** One thread serves all of them, while the checks of health wait for one. */
    @Test
    void a_client_that_sends_many_requests_ahead_has_to_come_again_after_a_few() throws Exception {
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), api.port())) {
            client.getOutputStream().write(livez().repeat(70).getBytes(US_ASCII));
            String answers = new String(client.getInputStream().readAllBytes(), US_ASCII);

            assertThat(answers.split("HTTP/1.1 200 ", -1)).hasSizeBetween(10, 30);
            assertThat(answers.substring(answers.lastIndexOf("HTTP/1.1 200 "))).contains("Connection: close");
        }
    }

    @Test
    void one_that_waits_for_each_answer_goes_on_as_long_as_it_likes() throws Exception {
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), api.port())) {
            for (int i = 0; i < 50; i++) {
                client.getOutputStream().write(livez().getBytes(US_ASCII));
                StringBuilder answer = new StringBuilder();
                for (int c = client.getInputStream().read();
                        c != '}';
                        c = client.getInputStream().read()) {
                    assertThat(c).as("answer %s", i).isNotNegative();
                    answer.append((char) c);
                }
                assertThat(client.getInputStream().read()).isEqualTo('\n');
                assertThat(answer.toString()).startsWith("HTTP/1.1 200 ").doesNotContain("Connection: close");
            }
        }
    }

    private static String livez() {
        return "GET /livez HTTP/1.1\r\nHost: 127.0.0.1:" + api.port() + "\r\n\r\n";
    }

    /** Holds the thread that parses back until the one that reads on has the buffer, or waits for it. */
    private final class Threads extends QueuedThreadPool {

        @Override
        public boolean tryExecute(Runnable task) {
            boolean answers = parsing == null
                    && StackWalker.getInstance()
                            .walk(frames -> frames.anyMatch(
                                    frame -> frame.getClassName().equals(HttpParser.class.getName())));
            if (!answers) {
                return super.tryExecute(task);
            }
            parsing = Thread.currentThread();
            execute(task);
            try {
                Until.holds(SOON, "a thread that reads on", () -> holdsBuffer || isWaiting(readingOn));
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            return true;
        }

        @Override
        public void execute(Runnable job) {
            super.execute(job instanceof HttpConnection ? () -> readOn(job) : job);
        }

        private void readOn(Runnable job) {
            readingOn = Thread.currentThread();
            job.run();
            hasReadOn.countDown();
        }
    }

    private static boolean isWaiting(@Nullable Thread thread) {
        return thread != null && thread.getState() == Thread.State.WAITING;
    }

    /** Holds the thread that reads on back, once it has the buffer, until the other one has given that back. */
    private final class Buffers extends ArrayByteBufferPool {

        @Override
        public RetainableByteBuffer.Mutable acquire(int size, boolean direct) {
            return new Lent(super.acquire(size, direct));
        }
    }

    private final class Lent extends RetainableByteBuffer.FixedCapacity {

        private volatile boolean givenBack;

        Lent(RetainableByteBuffer.Mutable buffer) {
            super(buffer.getByteBuffer(), buffer);
        }

        @Override
        public boolean release() {
            boolean last = super.release();
            givenBack |= last;
            if (last && Thread.currentThread().equals(parsing)) {
                gaveBack.countDown();
            }
            return last;
        }

        @Override
        public ByteBuffer getByteBuffer() {
            if (Thread.currentThread().equals(readingOn)) {
                holdsBuffer = true;
                await(gaveBack);
            }
            if (givenBack) {
                misused.add(Thread.currentThread() + " uses what was given back");
            }
            return super.getByteBuffer();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(SOON.toSeconds(), TimeUnit.SECONDS)) {
                throw new UncheckedIOException(new IOException("no buffer was given back"));
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
