package dev.rowlock.chaos;

import dev.rowlock.chaos.FaultKind.Lane;
import dev.rowlock.chaos.Plan.Planned;
import dev.rowlock.support.FreePorts;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Three servers of {@code scripts/mysql-group-for-tests}, on ports of their own. */
record GroupServer(int port, AtomicInteger latest) implements ServerGroup {

    private static final String LIMITS =
            "/?user=root&sslMode=DISABLED&allowPublicKeyRetrieval=true&connectTimeout=500&socketTimeout=1000";
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

    @Override
    public Lane lane() {
        return Lane.GROUP;
    }

    @Override
    public int takeAway(Planned fault) throws IOException {
        String verb = switch (fault.kind()) {
            case PRIMARY_KILL -> "kill-primary";
            case PRIMARY_FREEZE -> "freeze-primary";
            case PRIMARY_SWITCH -> "switch";
            default -> throw new IllegalArgumentException(fault.toString());
        };
        return Integer.parseInt(script(verb).strip());
    }

    @Override
    public void rejoin(int member) throws IOException {
        script("rejoin", Integer.toString(member));
    }

    /** Another one is the primary. */
    @Override
    public boolean takesWritesWithout(int former) {
        String write = "replace into rowlock_chaos_probe.probe values (1, " + System.nanoTime() + ")";
        return members().stream().anyMatch(member -> member != former && answers(member, write));
    }

    private static boolean answers(int member, String last) {
        try (Connection connection = DriverManager.getConnection(ServerGroup.urlOf(member) + LIMITS);
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
                return ServerGroup.urlOf(member);
            }
        }
        return ServerGroup.urlOf(port); // there is none now; who connects is told so by this one
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
