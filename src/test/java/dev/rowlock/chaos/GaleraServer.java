package dev.rowlock.chaos;

import dev.rowlock.chaos.FaultKind.Lane;
import dev.rowlock.chaos.Plan.Planned;
import dev.rowlock.support.FreePorts;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * Three members of {@code scripts/galera-for-tests}, on ports of their own, each of which takes writes.
 *
 * @param ownMembers whether each node knows one member only, instead of a list of all
 * @param away the port of a member that a fault has taken away; 0: none
 */
public record GaleraServer(int port, boolean ownMembers, AtomicInteger away) implements ServerGroup {

    /** A commit that hangs is waited for: it succeeds when the others have voted out a member. */
    static final String PATIENT =
            "/?user=root&sslMode=DISABLED&allowPublicKeyRetrieval=true&connectTimeout=1000&socketTimeout=10000";

    private static final List<Integer> FURTHER_PORTS = List.of(10, 20, 30);

    /** Makes and starts them; takes half a minute. */
    public static GaleraServer start(boolean ownMembers) throws IOException {
        GaleraServer galera = new GaleraServer(freePorts(), ownMembers, new AtomicInteger());
        galera.script("start");
        try (Connection connection = DriverManager.getConnection(galera.url() + PATIENT);
                Statement statement = connection.createStatement()) {
            statement.execute("create database rowlock_chaos_probe");
            statement.execute("create table rowlock_chaos_probe.probe (id int primary key, at bigint)");
        } catch (SQLException e) {
            throw new IOException("the new cluster does not take writes", e);
        }
        return galera;
    }

    private static int freePorts() {
        return FreePorts.first(first -> IntStream.range(0, MEMBERS)
                .allMatch(i -> FreePorts.isFree(first + i)
                        && FURTHER_PORTS.stream().allMatch(further -> FreePorts.isFree(first + further + i))));
    }

    @Override
    public Lane lane() {
        return Lane.MEMBERS;
    }

    @Override
    public int takeAway(Planned fault) throws IOException {
        int member = port + fault.salt() % MEMBERS;
        away.set(member);
        take(
                member,
                switch (fault.kind()) {
                    case MEMBER_KILL -> "kill";
                    case MEMBER_FREEZE -> "freeze";
                    case MEMBER_CUT -> "cut";
                    case MEMBER_LEAVE -> "leave";
                    default -> throw new IllegalArgumentException(fault.toString());
                });
        return member;
    }

    /** Calls the script about a member: {@code kill}, {@code freeze}, {@code cut} or {@code leave}. */
    public void take(int member, String verb) throws IOException {
        script(verb, Integer.toString(member));
    }

    @Override
    public void rejoin(int member) throws IOException {
        script("rejoin", Integer.toString(member));
        away.set(0);
    }

    /** All of the others do. */
    @Override
    public boolean takesWritesWithout(int former) {
        return members().stream().allMatch(member -> member == former || commits(member));
    }

    private static boolean commits(int member) {
        try (Connection connection = DriverManager.getConnection(ServerGroup.urlOf(member) + PATIENT);
                Statement statement = connection.createStatement()) {
            statement.execute(write(member));
            return true;
        } catch (SQLException e) {
            return false; // it is not back yet, or its commit was undone by another member's
        }
    }

    /** A plain write, of a row that no other member writes. */
    static String write(int member) {
        return "replace into rowlock_chaos_probe.probe values (" + member + ", " + System.nanoTime() + ")";
    }

    /** Of one that no fault has taken away. */
    @Override
    public String url() {
        return ServerGroup.urlOf(port == away.get() ? port + 1 : port);
    }

    @Override
    public List<InetSocketAddress> addressesOf(int node) {
        return ownMembers ? List.of(ServerGroup.addressOf(memberOf(node))) : addresses();
    }

    /** Whether this node can reach another member than that one. */
    @Override
    public boolean canDoWithout(int member, int node) {
        return !ownMembers || memberOf(node) != member;
    }

    private int memberOf(int node) {
        return port + node % MEMBERS;
    }

    @Override
    public void close() throws IOException {
        script("wipe");
    }

    private void script(String... verb) throws IOException {
        String[] line = new String[verb.length + 1];
        line[0] = "scripts/galera-for-tests";
        System.arraycopy(verb, 0, line, 1, verb.length);
        String unused = Programs.run(Map.of("ROWLOCK_TEST_GALERA_PORT", Integer.toString(port)), line);
    }
}
