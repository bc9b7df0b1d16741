package dev.rowlock.chaos;

import dev.rowlock.chaos.ChaosDatabase.Server;
import dev.rowlock.chaos.FaultKind.Lane;
import dev.rowlock.chaos.Plan.Planned;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.stream.IntStream;

/** Three servers with the same data, on ports in a row, one of which can be taken from the others. */
interface ServerGroup extends Server {

    int MEMBERS = 3;

    /** The port of the first. */
    int port();

    /** The faults that it can have. */
    Lane lane();

    /**
     * Takes a member away as this fault asks for.
     *
     * @return its port
     */
    int takeAway(Planned fault) throws IOException;

    /** Whether the others take writes without it, and not only by their own word. */
    boolean takesWritesWithout(int former);

    /** Brings it back, and returns when the others have it. */
    void rejoin(int member) throws IOException;

    /** Whether this node, counted from 0, can reach another member than that one. */
    default boolean canDoWithout(int member, int node) {
        return true;
    }

    default List<Integer> members() {
        return IntStream.range(port(), port() + MEMBERS).boxed().toList();
    }

    static String urlOf(int member) {
        return "jdbc:mysql://127.0.0.1:" + member;
    }

    @Override
    default List<InetSocketAddress> addresses() {
        return members().stream().map(ServerGroup::addressOf).toList();
    }

    static InetSocketAddress addressOf(int member) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), member);
    }

    @Override
    default String user() {
        return "root";
    }

    @Override
    default String password() {
        return "";
    }

    @Override
    default boolean hasPlainAccount() {
        return false;
    }

    /** Its own faults kill it: two members away at once would be another matter. */
    @Override
    default boolean isOwn() {
        return false;
    }

    @Override
    default void kill() {
        throw new IllegalStateException("a group is not killed as a whole");
    }

    @Override
    default void restart() {
        throw new IllegalStateException("a group is not started again as a whole");
    }
}
