package dev.rowlock.chaos;

import dev.rowlock.chaos.Plan.Planned;
import dev.rowlock.exec.process.Uptime;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * The server refuses writes with an error that is none of the row's fault: a full disk, a statement that took too long,
 * a proxy's own.
 */
final class ServerErrors implements Fault {

    private record Refusal(int code, String state, String message) {}

    private static final List<Refusal> REFUSALS = List.of(
            new Refusal(1114, "HY000", "The table is full"),
            new Refusal(1021, "HY000", "Disk full; waiting for someone to free some space"),
            new Refusal(1030, "HY000", "Got error 28 - No space left on device from storage engine"),
            new Refusal(1290, "HY000", "The server is running with an option so that it cannot execute this statement"),
            new Refusal(3024, "HY000", "Query execution was interrupted, maximum statement execution time exceeded"),
            new Refusal(1969, "70100", "Query execution was interrupted (max_statement_time exceeded)"),
            new Refusal(29_991, "HY000", "The proxy has had enough"));

    private static final List<List<String>> WRITES = List.of(
            List.of("insert on task"),
            List.of("update on task"),
            List.of("update on job_next"),
            List.of("insert on task_history"),
            List.of("insert on task", "update on task", "insert on task_history", "update on task_history"));

    private static final String NAME = "chaos_refuses_";
    private static final int MOST = 4;

    private final ChaosDatabase database;
    private final Refusal refusal;
    private final List<String> writes;
    private final boolean someJobsOnly;
    private long endedAt;

    ServerErrors(ChaosDatabase database, Planned planned) {
        int salt = planned.salt();
        this.database = database;
        this.refusal = REFUSALS.get(salt % REFUSALS.size());
        this.writes = WRITES.get(salt / REFUSALS.size() % WRITES.size());
        this.someJobsOnly = salt / REFUSALS.size() / WRITES.size() % 3 == 0;
    }

    @Override
    public String what() {
        return "error " + refusal.code + " on " + writes + (someJobsOnly ? " of every other job" : "");
    }

    @Override
    public void begin() throws SQLException {
        try (Connection admin = database.admin();
                Statement statement = admin.createStatement()) {
            for (String sql : triggers()) {
                statement.execute(sql);
            }
        }
    }

    private List<String> triggers() {
        List<String> triggers = new ArrayList<>();
        String raise = "signal sqlstate '" + refusal.state + "' set mysql_errno = " + refusal.code
                + ", message_text = '" + refusal.message + "'";
        for (String write : writes) {
            triggers.add("create trigger " + NAME + triggers.size() + " after " + write + " for each row begin "
                    + (someJobsOnly ? "if new.job_id % 2 = 0 then " + raise + "; end if" : raise) + "; end");
        }
        return triggers;
    }

    @Override
    public long goodFrom() {
        return endedAt;
    }

    /** Until they are gone: another fault may have the database away. */
    @Override
    public void end() throws Exception {
        dropAll(database);
        endedAt = Uptime.millis();
    }

    private static void dropAll(ChaosDatabase database) throws Exception {
        database.retry("dropping the triggers that raise errors", statement -> {
            for (int i = 0; i < MOST; i++) {
                statement.execute("drop trigger if exists " + NAME + i);
            }
        });
    }
}
