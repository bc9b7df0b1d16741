package dev.rowlock.http;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.LongSupplier;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bound on connections. To refuse further ones would let holders of idle ones keep everybody out, health checks too; so
 * the one that was idle the longest is closed. A connection that serves a request is never closed.
 */
public final class ConnectionLimit implements Connection.Listener, Filter {

    private static final Logger log = LoggerFactory.getLogger(ConnectionLimit.class);
    private static final Duration SAID_EVERY = Duration.ofMinutes(1);

    private final int most;
    private final LongSupplier nanoTime;
    /** Connections that serve no request; the one idle for the longest comes first. */
    private final Set<EndPoint> idle = new LinkedHashSet<>();

    private final Set<EndPoint> serving = new HashSet<>();
    private long closed;
    private long saidNanos;

    public ConnectionLimit(int most, LongSupplier nanoTime) {
        this.most = most;
        this.nanoTime = nanoTime;
        this.saidNanos = nanoTime.getAsLong() - SAID_EVERY.toNanos();
    }

    @Override
    public void onOpened(Connection connection) {
        if (isWithinAnother(connection)) {
            return;
        }
        @Nullable EndPoint last = added(connection.getEndPoint());
        if (last != null) {
            last.close();
        }
    }

    @Override
    public void onClosed(Connection connection) {
        if (!isWithinAnother(connection)) {
            forget(connection.getEndPoint());
        }
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        EndPoint client = ServletContextRequest.getServletContextRequest(request)
                .getConnectionMetaData()
                .getConnection()
                .getEndPoint();
        EndPoint network = client instanceof EndPoint.Wrapper wrapper ? wrapper.unwrap() : client;
        serves(network);
        try {
            chain.doFilter(request, response);
        } finally {
            hasServed(network);
        }
    }

    /** Returns whether this is HTTP within TLS, whose TLS connection has been counted. */
    private static boolean isWithinAnother(Connection connection) {
        return connection.getEndPoint() instanceof EndPoint.Wrapper;
    }

    /** Returns the connection that gives way; null if none has to. */
    private synchronized @Nullable EndPoint added(EndPoint network) {
        idle.add(network);
        if (idle.size() + serving.size() <= most) {
            return null;
        }
        Iterator<EndPoint> oldest = idle.iterator();
        EndPoint last = oldest.next();
        oldest.remove();
        closed++;
        long now = nanoTime.getAsLong();
        if (now - saidNanos >= SAID_EVERY.toNanos()) {
            saidNanos = now;
            log.warn(
                    "there are {} connections, as many as there may be: {} that were idle the longest have been closed"
                            + " so far to let others in",
                    most,
                    closed);
        }
        return last;
    }

    private synchronized void forget(EndPoint network) {
        idle.remove(network);
        serving.remove(network);
    }

    private synchronized void serves(EndPoint network) {
        if (idle.remove(network)) {
            serving.add(network);
        }
    }

    private synchronized void hasServed(EndPoint network) {
        if (serving.remove(network)) {
            idle.add(network);
        }
    }
}
