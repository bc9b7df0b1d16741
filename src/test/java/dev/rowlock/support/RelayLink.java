package dev.rowlock.support;

import dev.rowlock.support.TcpRelay.Direction;
import dev.rowlock.support.TcpRelay.Trap;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** One connection through a {@link TcpRelay}: packet by packet, one thread each way. */
final class RelayLink implements Closeable {

    private static final int HEADER_BYTES = 4;
    private static final int COM_QUERY = 3;

    private final TcpRelay relay;
    private final Socket client;
    private final Socket server;
    private volatile boolean cut;
    /** Set before the statement goes to the server: its answer must not reach the client. */
    private volatile @Nullable Trap answerTrap;

    RelayLink(TcpRelay relay, Socket client, Socket server) {
        this.relay = relay;
        this.client = client;
        this.server = server;
    }

    void start() {
        TcpRelay.daemon("relay-to-server", () -> pump(client, server, Direction.TO_SERVER));
        TcpRelay.daemon("relay-to-client", () -> pump(server, client, Direction.TO_CLIENT));
    }

    boolean isCut() {
        return cut;
    }

    private void pump(Socket from, Socket to, Direction direction) {
        try {
            from.setTcpNoDelay(true);
            to.setTcpNoDelay(true);
            DataInputStream in = new DataInputStream(from.getInputStream());
            OutputStream out = to.getOutputStream();
            while (!cut) {
                byte[] packet = next(in);
                if (!relay.mayPass(direction, this) || isTrapped(packet, direction)) {
                    break;
                }
                out.write(packet);
                out.flush();
            }
        } catch (EOFException e) {
            // One side has closed in order; below, so does the other.
        } catch (IOException e) {
            // One side broke; below, so does the other. That is what this class is for.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            close();
        }
    }

    /** A whole packet with its header: three bytes of length, one of sequence. */
    private static byte[] next(DataInputStream in) throws IOException {
        byte[] header = new byte[HEADER_BYTES];
        in.readFully(header);
        int length = (header[0] & 0xff) | (header[1] & 0xff) << 8 | (header[2] & 0xff) << 16;
        byte[] packet = new byte[HEADER_BYTES + length];
        System.arraycopy(header, 0, packet, 0, HEADER_BYTES);
        in.readFully(packet, HEADER_BYTES, length);
        return packet;
    }

    /** True if this packet must not go on; the connection is cut then. */
    private boolean isTrapped(byte[] packet, Direction direction) {
        Trap sprung = direction == Direction.TO_CLIENT ? answerTrap : trapFor(packet);
        if (sprung == null) {
            return false;
        }
        cut();
        TcpRelay.spring(sprung);
        return true;
    }

    private @Nullable Trap trapFor(byte[] packet) {
        if (packet.length <= HEADER_BYTES || packet[HEADER_BYTES] != COM_QUERY) {
            return null;
        }
        Trap trap = relay.trapFor(statement(packet));
        if (trap != null && TcpRelay.waitsForAnswer(trap)) {
            answerTrap = trap;
            return null;
        }
        return trap;
    }

    /** The statement's text; MySQL 8 puts two bytes of (no) query attributes before it. */
    private static String statement(byte[] packet) {
        int start = HEADER_BYTES + 1;
        if (packet.length >= start + 2 && packet[start] == 0 && packet[start + 1] == 1) {
            start += 2;
        }
        return new String(packet, start, packet.length - start, StandardCharsets.UTF_8);
    }

    /** Ends both sides with a reset, as a broken network does. */
    void cut() {
        cut = true;
        reset(client);
        reset(server);
        relay.ended(this);
    }

    static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            // closed already
        }
        closeQuietly(socket);
    }

    @Override
    public void close() {
        cut = true;
        closeQuietly(client);
        closeQuietly(server);
        relay.ended(this);
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new IllegalStateException("closing a socket", e);
        }
    }
}
