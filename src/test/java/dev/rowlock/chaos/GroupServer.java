package dev.rowlock.chaos;

import dev.rowlock.chaos.ChaosDatabase.Server;
import dev.rowlock.support.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Three servers of {@code scripts/mysql-group-for-tests}, on ports of their own. */
record GroupServer(int port, AtomicInteger latest) implements Server {

    private static final String LIMITS =
            "/?user=root&sslMode=DISABLED&allowPublicKeyRetrieval=true&connectTimeout=500&socketTimeout=1000";
    private static final int MEMBERS = 3;
    private static final int TALK = 10;

    static GroupServer start() throws IOException {
        GroupServer group = new GroupServer(freePorts(), new AtomicInteger());
        group.script("start");
        try (Connection connection = DriverManager.getConnection(group.url() + LIMITS);
                Statement statement = connection.createStatement()) {
            statement.execute("create database if not exists rowlock_chaos_probe");
            statement.execute("create table if not exists rowlock_chaos_probe.probe (id int primary key, at bigint)");
        } catch (SQLException e) {
            throw new IOException("the new group does not take writes", e);
        }
        return group;
    }

    private static int freePorts() {
        return FreePorts.first(first -> IntStream.range(0, MEMBERS)
                .allMatch(i -> FreePorts.isFree(first + i) && FreePorts.isFree(first + TALK + i)));
    }

    List<Integer> members() {
        return IntStream.range(port, port + MEMBERS).boxed().toList();
    }

    static String urlOf(int member) {
        return "jdbc:mysql://127.0.0.1:" + member;
    }

    /** Kills, freezes or demotes the primary; the port that it had. */
    int change(String verb) throws IOException {
        return Integer.parseInt(script(verb).strip());
    }

    /** Thaws or starts a member and waits until the group has it back. */
    void rejoin(int member) throws IOException {
        script("rejoin", Integer.toString(member));
    }

    /** Whether this member takes writes now, and not only by its own word. */
    boolean takesWrites(int member) {
        return answers(member, "replace into rowlock_chaos_probe.probe values (1, " + System.nanoTime() + ")");
    }

    private static boolean answers(int member, String last) {
        try (Connection connection = DriverManager.getConnection(urlOf(member) + LIMITS);
                Statement statement = connection.createStatement()) {
            try (ResultSet row = statement.executeQuery("select @@global.super_read_only")) {
                if (!row.next() || row.getInt(1) != 0) {
                    return false;
                }
            }
            statement.execute(last);
            return true;
        } catch (SQLException e) {
            return false; // down, frozen, or a primary that cannot commit
        }
    }

    @Override
    public String url() {
        for (int i = 0; i < MEMBERS; i++) {
            int member = port + (latest.get() + i) % MEMBERS;
            if (answers(member, "do 0")) {
                latest.set(member - port);
                return urlOf(member);
            }
        }
        return urlOf(port); // there is none now; who connects is told so by this one
    }

    @Override
    public List<InetSocketAddress> addresses() {
        return members().stream()
                .map(member -> new InetSocketAddress(InetAddress.getLoopbackAddress(), member))
                .toList();
    }

    @Override
    public String user() {
        return "root";
    }

    @Override
    public String password() {
        return "";
    }

    @Override
    public boolean hasPlainAccount() {
        return false;
    }

    /** Its own faults kill it: two members away at once would be another matter. */
    @Override
    public boolean isOwn() {
        return false;
    }

    @Override
    public void kill() {
        throw new IllegalStateException("a group is not killed as a whole");
    }

    @Override
    public void restart() {
        throw new IllegalStateException("a group is not started again as a whole");
    }

    @Override
    public void close() throws IOException {
        script("wipe");
    }

    private String script(String... verb) throws IOException {
        String[] line = new String[verb.length + 1];
        line[0] = "scripts/mysql-group-for-tests";
        System.arraycopy(verb, 0, line, 1, verb.length);
        return Programs.run(Map.of("ROWLOCK_TEST_GROUP_PORT", Integer.toString(port)), line);
    }
}
