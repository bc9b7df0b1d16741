package dev.rowlock.support;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A relay on loopback between a node and its database, which breaks the connection in every way a network can. It reads the packets of
 * MySQL's protocol, so TLS must be off ({@link TestDatabase#urlThrough}). Safe for use by several threads.
 */
public final class TcpRelay implements AutoCloseable {

    /** Which way bytes go. */
    public enum Direction {
        TO_SERVER,
        TO_CLIENT
    }

    /** A cut that waits for its packet; works once. */
    public static final class Trap {

        private final Predicate<String> statement;
        private final boolean afterAnswer;
        private final CountDownLatch sprung = new CountDownLatch(1);

        private Trap(Predicate<String> statement, boolean afterAnswer) {
            this.statement = statement;
            this.afterAnswer = afterAnswer;
        }

        /** True once the connection was cut by this trap. */
        public boolean hasSprung() {
            return sprung.getCount() == 0;
        }

        /** Waits until the connection was cut by this trap; false if that did not happen in time. */
        public boolean awaitSprung(Duration limit) throws InterruptedException {
            return sprung.await(limit.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private final InetSocketAddress target;
    private final ServerSocket listener;
    private final List<RelayLink> links = new ArrayList<>();
    private final List<Trap> traps = new ArrayList<>();
    private final Set<Direction> swallowed = EnumSet.noneOf(Direction.class);
    private final Set<RelayLink> stalling = new HashSet<>();
    private int stalled;
    private Duration delay = Duration.ZERO;
    private boolean refusing;
    private long accepted;
    private long statements;

    private TcpRelay(InetSocketAddress target) throws IOException {
        this.target = target;
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        daemon("relay-" + port(), this::acceptAll);
    }

    /** Starts a relay to {@code target} on a free port. */
    public static TcpRelay to(InetSocketAddress target) throws IOException {
        return new TcpRelay(target);
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** Back to normal: no delay, nothing swallowed, no trap; what was held back goes on its way. */
    public synchronized void passThrough() {
        delay = Duration.ZERO;
        refusing = false;
        swallowed.clear();
        stalling.clear();
        traps.clear();
        notifyAll();
    }

    /** Holds every packet back for so long, each way. */
    public synchronized void delay(Duration each) {
        delay = each;
        notifyAll();
    }

    /** Forwards nothing that way until {@link #passThrough()}; connections stay open, and new ones are accepted. */
    public synchronized void blackhole(Direction first, Direction... more) {
        swallowed.addAll(EnumSet.of(first, more));
    }

    /** Forwards nothing on the connections that are open now, until {@link #passThrough()}; later ones are none the worse. */
    public synchronized void stallOpen() {
        stalling.addAll(links);
    }

    /** How many packets wait on connections that {@link #stallOpen} has stalled. */
    public synchronized int stalled() {
        return stalled;
    }

    /** Cuts all connections at once, with a reset. New ones are accepted. */
    public synchronized void cutAll() {
        for (RelayLink link : List.copyOf(links)) {
            link.cut();
        }
        notifyAll();
    }

    /** Cuts new connections as they come, until {@link #passThrough()}; those that are open stay. */
    public synchronized void refuseNew() {
        refusing = true;
    }

    /** Everything at once: the database is away until {@link #passThrough()}. */
    public synchronized void goAway() {
        refuseNew();
        cutAll();
    }

    /** Cuts the connection of the next statement that matches, before the server sees it. */
    public Trap cutBefore(Predicate<String> statement) {
        return armed(new Trap(statement, false));
    }

    /** Cuts the connection of the next statement that matches when the server has answered, before the client sees that. */
    public Trap cutAfter(Predicate<String> statement) {
        return armed(new Trap(statement, true));
    }

    /** A commit, but for that of taking ids of tasks, which a node does over a connection of its own. */
    public static Predicate<String> commit() {
        AtomicBoolean takesIds = new AtomicBoolean();
        return sql -> {
            if (sql.contains("task_ids")) {
                takesIds.set(true);
            }
            return statement("commit").test(sql) && !takesIds.getAndSet(false);
        };
    }

    /** The commit of a transaction in which such a statement was seen. */
    public static Predicate<String> commitOf(String part) {
        AtomicBoolean seen = new AtomicBoolean();
        return sql -> {
            seen.compareAndSet(false, sql.contains(part));
            return seen.get() && statement("commit").test(sql);
        };
    }

    /** For {@link #cutBefore} and {@link #cutAfter}: the statement is this one, in any case. */
    public static Predicate<String> statement(String sql) {
        return text -> text.strip().equalsIgnoreCase(sql);
    }

    private synchronized Trap armed(Trap trap) {
        traps.add(trap);
        return trap;
    }

    /** How many statements were sent to the server since the start. */
    public synchronized long statements() {
        return statements;
    }

    /** How many connections are open now. */
    public synchronized int openConnections() {
        return links.size();
    }

    /** How many connections were accepted since the start, refused ones not counted. */
    public synchronized long acceptedConnections() {
        return accepted;
    }

    @Override
    public void close() throws IOException {
        listener.close();
        passThrough();
        cutAll();
    }

    private void acceptAll() {
        while (!listener.isClosed()) {
            try {
                accept(listener.accept());
            } catch (IOException e) {
                // Closed, or the server is away: the client sees a connection that ends, as it would without us.
            }
        }
    }

    private void accept(Socket client) throws IOException {
        if (isRefusing()) {
            RelayLink.reset(client);
            return;
        }
        Socket server = new Socket();
        try {
            server.connect(target, 5000);
        } catch (IOException e) {
            RelayLink.reset(client);
            throw e;
        }
        RelayLink link = new RelayLink(this, client, server);
        synchronized (this) {
            links.add(link);
            accepted++;
        }
        link.start();
    }

    private synchronized boolean isRefusing() {
        return refusing;
    }

    synchronized void ended(Closeable link) {
        links.remove(link);
    }

    /** Holds the caller back as the settings of the moment want it; false if the link was cut meanwhile. */
    synchronized boolean mayPass(Direction direction, RelayLink link) throws InterruptedException {
        if (!delay.isZero()) {
            long until = System.nanoTime() + delay.toNanos();
            for (long left = delay.toNanos(); left > 0 && !link.isCut(); left = until - System.nanoTime()) {
                if (delay.isZero()) {
                    break;
                }
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        }
        while (swallowed.contains(direction) && !link.isCut()) {
            wait();
        }
        stalled++;
        while (stalling.contains(link) && !link.isCut()) {
            wait();
        }
        stalled--;
        return !link.isCut();
    }

    /** The trap that this statement springs, disarmed. */
    synchronized @Nullable Trap trapFor(String statement) {
        statements++;
        for (Trap trap : traps) {
            if (trap.statement.test(statement)) {
                traps.remove(trap);
                return trap;
            }
        }
        return null;
    }

    static boolean waitsForAnswer(Trap trap) {
        return trap.afterAnswer;
    }

    static void spring(Trap trap) {
        trap.sprung.countDown();
    }

    static void daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }
}
