package dev.rowlock.support;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads and writes rows past the product, over a connection of its own, as an operator at an SQL prompt would. */
public final class Rows {

    /** Statements that leave nothing behind in their connection, so that the next one may use it too. */
    private static final Pattern PLAIN = Pattern.compile(
            "\\s*(select|insert|update|delete|show|explain)\\b.*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private final Connections database;

    /** Makes connections, each to be closed, or given back after a plain statement that succeeded. */
    public interface Connections {
        Connection connect() throws SQLException;

        default void giveBack(Connection connection) throws SQLException {
            connection.close();
        }
    }

    public Rows(TestDatabase database) {
        this(database.reused());
    }

    public Rows(Connections database) {
        this.database = database;
    }

    /** All rows, each as column → text. */
    public List<Map<String, @Nullable String>> all(String live) {
        String sql = LiveRows.query(live);
        return with(sql, statement -> {
            try (ResultSet rows = statement.executeQuery(sql)) {
                List<Map<String, @Nullable String>> result = new ArrayList<>();
                int columns = rows.getMetaData().getColumnCount();
                while (rows.next()) {
                    Map<String, @Nullable String> row = new LinkedHashMap<>();
                    for (int i = 1; i <= columns; i++) {
                        row.put(rows.getMetaData().getColumnLabel(i).toLowerCase(Locale.ROOT), rows.getString(i));
                    }
                    result.add(row);
                }
                return result;
            }
        });
    }

    private interface Use<T> {
        T of(Statement statement) throws SQLException;
    }

    private <T> T with(String sql, Use<T> use) {
        try {
            Connection connection = database.connect();
            boolean again = false;
            try (Statement statement = connection.createStatement()) {
                T result = use.of(statement);
                again = PLAIN.matcher(sql).matches();
                return result;
            } finally {
                if (again) {
                    database.giveBack(connection);
                } else {
                    connection.close();
                }
            }
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    /** The first column of the first row. */
    public @Nullable String one(String sql) {
        return all(sql).stream()
                .findFirst()
                .map(row -> row.values().iterator().next())
                .orElse(null);
    }

    public long count(String from) {
        return Long.parseLong(String.valueOf(one("select count(*) from " + from)));
    }

    public int run(String sql) {
        return LiveRows.statements(sql).stream()
                .mapToInt(each -> with(each, statement -> statement.executeUpdate(each)))
                .sum();
    }

    /**
     * An account that may do everything in one database and nothing beyond it, such as writing to a server that is read-only. Past {@code grant},
     * for which the tests' own account may lack the right.
     */
    public void account(String user, String password, String database) {
        run("drop user if exists " + user);
        run("create user " + user + " identified by '" + password + "'");
        run(
                "insert into mysql.db (host, db, user, select_priv, insert_priv, update_priv, delete_priv, create_priv, drop_priv,"
                        + " references_priv, index_priv, alter_priv, create_tmp_table_priv, lock_tables_priv, create_view_priv,"
                        + " show_view_priv, trigger_priv) values ('%', '" + database + "', '" + user
                        + "', 'Y', 'Y', 'Y', 'Y', 'Y', 'Y', 'Y', 'Y', 'Y', 'Y', 'Y', 'Y', 'Y', 'Y')");
        run("flush privileges");
    }

    /** A job with its first version and no task. */
    public long job(String name, String definition) {
        run(
                "insert into job (namespace, name, version, definition, paused, created_at, updated_at) values ('default', '"
                        + name + "', 1, '" + definition + "', false, utc_timestamp(3), utc_timestamp(3))");
        long id = Long.parseLong(String.valueOf(one("select id from job where name = '" + name + "'")));
        run(
                "insert into job_version (job_id, version, namespace, name, definition, paused, valid_from) select id, 1, namespace, name,"
                        + " definition, paused, created_at from job where id = " + id);
        return id;
    }

    /** An idle scheduled task of that job, due {@code offsetMillis} from now, with or without the cursor. */
    public long task(long job, long offsetMillis, boolean cursor) {
        String due = "date_add(utc_timestamp(3), interval " + offsetMillis * 1000 + " microsecond)";
        long id = LiveRows.newId();
        String values = id + ", " + job + ", 1, " + job % 64 + ", " + due + ", " + due + ")";
        run(
                cursor
                        ? "insert into job_next (task_id, job_id, job_version, stripe, fire_time, due_at) values ("
                                + values
                        : "insert into task (attempt, cause, state, id, job_id, job_version, stripe, fire_time, due_at)"
                                + " values (1, 'SCHEDULE', 'IDLE', " + values);
        return id;
    }

    /** How the server would go about a statement, as a table: newer versions of MySQL have another form by default. */
    public List<Map<String, @Nullable String>> plan(String sql) {
        boolean mariaDb = String.valueOf(one("select version()")).contains("Maria");
        return all((mariaDb ? "explain " : "explain format=traditional ") + sql);
    }
}
