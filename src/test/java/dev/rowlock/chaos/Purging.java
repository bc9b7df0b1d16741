package dev.rowlock.chaos;

import dev.rowlock.field.KeptFor;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * History that is purged while all else happens. A trigger of the run's own keeps a copy of each row that goes, so that
 * the checks can be made on all there ever was; they have their own idea of how old a row must be to go, and of how
 * soon it must.
 */
final class Purging {

    static final Duration KEPT = Duration.ofSeconds(60);

    /**
     * How long after its time a row of many thousand may stay: the purge has breaks, and the machine has other work.
     */
    static final Duration ALLOWED = Duration.ofSeconds(90);

    private static final int OLD_ROWS = 20_000;
    private static final String OLD = "long-ago";
    private static final String COPY = "chaos_purged_";
    private static final List<String> TABLES = List.of("task_history", "task_span", "job_version");
    /** Likewise, without a namespace; none of it is in another run's way. */
    private static final List<String> BESIDE = List.of("calendar_version", "backfill");

    /** While the clock is right: how many rows are gone that are not old enough even now, and one of them. */
    static final String YOUNG = "select count(*), min(concat(job, ', ended ', ended_at)) from " + COPY
            + "task_history where ended_at > utc_timestamp(3) - interval " + KEPT.toSeconds() + " second";

    private final ChaosDatabase database;

    Purging(ChaosDatabase database) {
        this.database = database;
    }

    /** All rows of this table that there ever were, as something to select from. */
    static String all(String table) {
        return "(select * from " + table + " union all select * from " + COPY + table + ") everything";
    }

    /** To be called when the schema is there and nothing has happened yet. */
    void prepare(boolean withOldRows) throws SQLException {
        try (Connection admin = database.admin();
                Statement statement = admin.createStatement()) {
            for (String table : Stream.concat(TABLES.stream(), BESIDE.stream()).toList()) {
                String columns = String.join(", ", columns(statement, table, ""));
                statement.execute("create table " + COPY + table + " like " + table);
                statement.execute("create trigger " + COPY + table + " before delete on " + table
                        + " for each row insert ignore into " + COPY + table + " (" + columns + ") values ("
                        + String.join(", ", columns(statement, table, "old.")) + ")");
            }
            if (withOldRows) {
                shorten(statement);
                age(statement);
            }
        }
    }

    /** No node can be told to keep so little, so whatever one records becomes that. */
    private static void shorten(Statement statement) throws SQLException {
        for (String change : List.of("insert", "update")) {
            statement.execute("create trigger chaos_kept_" + change + " before " + change + " on setting for each row"
                    + " set new.value = if(new.name = 'history-kept', '"
                    + new KeptFor(KEPT, Duration.ofDays(365), 100).text() + "', new.value)");
        }
        // On a slow machine a node has recorded its own by now, and writes nothing more.
        statement.execute("update setting set value = value where name = 'history-kept'");
    }

    private static List<String> columns(Statement statement, String table, String prefix) throws SQLException {
        List<String> columns = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery("select column_name from information_schema.columns"
                + " where table_schema = database() and table_name = '" + table + "' order by ordinal_position")) {
            while (rows.next()) {
                columns.add(prefix + rows.getString(1));
            }
        }
        return columns;
    }

    /** Much that is older than it may be, and below it, by id, some that is young: a job of once a month. */
    private static void age(Statement statement) throws SQLException {
        statement.execute("update task_ids set next_id = " + (OLD_ROWS + 10_000));
        String insert =
                "insert into task_history (id, job_id, namespace, job, job_version, fire_time, origin, attempt, cause,"
                        + " outcome, ended_at, last_fire_time) values ";
        statement.execute(insert + "(1, 0, '" + OLD + "', 'young', 1, utc_timestamp(3), '', 1, 'SCHEDULE', 'SUCCEEDED',"
                + " utc_timestamp(3) + interval 1 day, utc_timestamp(3))");
        int batch = 1000;
        for (int first = 2; first < OLD_ROWS + 2; first += batch) {
            StringBuilder values = new StringBuilder();
            for (int id = first; id < first + batch; id++) {
                values.append(values.isEmpty() ? "" : ", ")
                        .append("(")
                        .append(id)
                        .append(", 0, '")
                        .append(OLD)
                        .append("', 'old', 1, utc_timestamp(3) - interval 1 day, '', 1, 'SCHEDULE', 'SUCCEEDED',")
                        .append(" utc_timestamp(3) - interval 1 day, utc_timestamp(3) - interval 1 day)");
            }
            statement.execute(insert + values);
        }
    }

    /** Puts back what was purged of the run's own jobs: when all is over, for a check of all there ever was. */
    void putBack() throws SQLException {
        try (Connection admin = database.admin();
                Statement statement = admin.createStatement()) {
            for (String table : TABLES) {
                statement.execute("insert ignore into " + table + " select * from " + COPY + table
                        + " where namespace = '" + Workload.NAMESPACE + "'");
            }
            for (String table : BESIDE) {
                statement.execute("insert ignore into " + table + " select * from " + COPY + table);
            }
            statement.execute("delete from setting where name = 'history-purged'");
        }
    }

    /** What is old enough is gone by now, or will be soon. */
    boolean isUpToDate() throws SQLException {
        return count("select count(*) from task_history where ended_at < utc_timestamp(3) - interval "
                        + KEPT.plus(ALLOWED).toSeconds() + " second")
                == 0;
    }

    long purged() throws SQLException {
        return count("select count(*) from " + COPY + "task_history");
    }

    private long count(String sql) throws SQLException {
        try (Connection admin = database.admin();
                Statement statement = admin.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }
}
