package dev.rowlock.http;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.internal.HttpConnection;

/**
 * Factory of connections that one thread at a time reads. Jetty answers what it cannot parse in another thread, and
 * when that is done, it reads on although the first thread has yet to give back the buffer that both use. What is read
 * then goes to a buffer that another connection may have by now: its request is lost, or the beginning of its answer.
 */
public final class HttpConnections extends HttpConnectionFactory {

    private static final int MOST_AHEAD = 16;

    public HttpConnections(HttpConfiguration configuration) {
        super(configuration);
    }

    @Override
    public Connection newConnection(Connector connector, EndPoint client) {
        HttpConnection connection = new ReadByOne(getHttpConfiguration(), connector, client);
        connection.setTransferEncodingChunkMaxLength(getTransferEncodingChunkMaxLength());
        return configure(connection, connector, client);
    }

    /**
     * Notes that a request is about to be served. One thread serves all requests that a client has sent ahead, one
     * after the other, and those of other connections wait for it, health checks included; so after a few of them the
     * connection ends with the next answer, as any server may end one.
     */
    static void serves(Request request) {
        if (request.getConnectionMetaData().getConnection() instanceof ReadByOne connection) {
            connection.serves();
        }
    }

    /**
     * Connection that is read by one thread at a time. Nobody waits for long: Jetty reads on when the previous thread
     * has nothing left to do but leave.
     */
    private static final class ReadByOne extends HttpConnection {

        private final Lock reading = new ReentrantLock();
        private long readBefore = -1;
        private int sentAhead;

        ReadByOne(HttpConfiguration configuration, Connector connector, EndPoint client) {
            super(configuration, connector, client);
        }

        /**
         * Counts requests sent ahead: one that needed no read came together with the one before, and they are served
         * one at a time.
         */
        void serves() {
            long read = getBytesIn();
            sentAhead += read == readBefore ? 1 : 0;
            readBefore = read;
            if (sentAhead >= MOST_AHEAD) {
                getGenerator().setPersistent(false);
            }
        }

        @Override
        public void onFillable() {
            reading.lock();
            try {
                super.onFillable();
            } finally {
                reading.unlock();
            }
        }
    }
}
