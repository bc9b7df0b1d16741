package dev.rowlock.bench;

import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.embedded.EmbeddedDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** The database server that all contenders of a call share, and what it counts. */
final class Server implements AutoCloseable {

    private static final String OPTIONS = "?sslMode=DISABLED&allowPublicKeyRetrieval=true";

    private final EmbeddedDatabase embedded;
    private final DatabaseAddress address;
    private final Connection admin;
    final String version;
    final long pid;
    private int schemas;

    /** @param where {@code embedded}, or the JDBC URL of a server whose user may create databases; {@code user=} and {@code password=} may be in it */
    Server(String where, Path dir) throws IOException, SQLException {
        if (where.equals("embedded")) {
            embedded = EmbeddedDatabase.start(dir);
            address = new DatabaseAddress(base(embedded.url()), embedded.user(), embedded.password());
        } else {
            embedded = null;
            address = new DatabaseAddress(base(where), parameter(where, "user", "root"), parameter(where, "password", ""));
        }
        admin = DriverManager.getConnection(address.url() + "/" + OPTIONS, address.user(), address.password());
        version = one("select concat(if(version() like '%MariaDB%', 'MariaDB ', 'MySQL '), version())");
        pid = pid();
    }

    private static String base(String url) {
        int slash = url.indexOf('/', "jdbc:mysql://".length());
        return slash < 0 ? url : url.substring(0, slash);
    }

    private static String parameter(String url, String name, String otherwise) {
        var found = java.util.regex.Pattern.compile("[?&]" + name + "=([^&]*)").matcher(url);
        return found.find() ? found.group(1) : otherwise;
    }

    private long pid() throws IOException {
        Path file = Path.of(one("select @@datadir")).resolve(one("select @@pid_file"));
        return Files.isReadable(file) ? Long.parseLong(Files.readString(file).strip()) : 0;
    }

    boolean isMariaDb() {
        return version.startsWith("MariaDB");
    }

    Schema schema() throws SQLException {
        String name = "rowlock_bench_" + ProcessHandle.current().pid() + "_" + ++schemas;
        execute("create database " + name + " character set utf8mb4");
        return schema(name, false);
    }

    /** A database that stays, under a name of the caller's choice, with what is in it. */
    Schema kept(String name) throws SQLException {
        execute("create database if not exists " + name + " character set utf8mb4");
        return schema(name, true);
    }

    private Schema schema(String name, boolean isKept) throws SQLException {
        DatabaseAddress its = new DatabaseAddress(address.url() + "/" + name + OPTIONS, address.user(), address.password());
        return new Schema(its, name, isKept);
    }

    /** What was spent since the server began. */
    Cost cost() {
        Map<String, Double> status = new HashMap<>();
        String sql = "show global status where variable_name in ('Questions', 'Com_commit', 'Innodb_os_log_fsyncs', 'Innodb_data_fsyncs',"
                + " 'Innodb_os_log_written', 'Innodb_row_lock_waits', 'Innodb_row_lock_time', 'Innodb_deadlocks')";
        try (Statement statement = admin.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                status.put(rows.getString(1).toLowerCase(Locale.ROOT), Double.valueOf(rows.getString(2)));
            }
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
        double deadlocks = isMariaDb()
                ? status.getOrDefault("innodb_deadlocks", 0.0)
                : Double.parseDouble(
                        one("select coalesce(sum(count), 0) from information_schema.innodb_metrics where name = 'lock_deadlocks'"));
        return new Cost(
                status.getOrDefault("questions", 0.0),
                status.getOrDefault("innodb_os_log_fsyncs", status.getOrDefault("innodb_data_fsyncs", 0.0)),
                status.getOrDefault("innodb_os_log_written", 0.0),
                status.getOrDefault("innodb_row_lock_waits", 0.0),
                status.getOrDefault("innodb_row_lock_time", 0.0),
                deadlocks,
                Machine.cpuSeconds(pid),
                Machine.ownCpuSeconds());
    }

    /** Returns when it does nothing any more by itself: old versions of rows are purged after their statements. */
    void settle() {
        if (isMariaDb()) {
            try {
                execute("set global innodb_max_purge_lag_wait = 0"); // its purge rests between statements
            } catch (SQLException e) {
                throw new IllegalStateException("waiting for the purge", e);
            }
        }
        double[] seen = {Machine.threadCpuSeconds(pid)};
        int[] quiet = {0};
        Machine.await(10, 100, () -> {
            double now = Machine.threadCpuSeconds(pid);
            quiet[0] = now - seen[0] < 0.003 ? quiet[0] + 1 : 0;
            seen[0] = now;
            return quiet[0] == 2;
        });
    }

    /** How large its binary logs are; 0: it writes none. */
    double binaryLogBytes() {
        double bytes = 0;
        if (one("select @@log_bin").equals("1")) {
            try (Statement statement = admin.createStatement();
                    ResultSet rows = statement.executeQuery("show binary logs")) {
                while (rows.next()) {
                    bytes += rows.getDouble(2);
                }
            } catch (SQLException e) {
                throw new IllegalStateException("show binary logs", e);
            }
        }
        return bytes;
    }

    private String one(String sql) {
        try (Statement statement = admin.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = admin.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws IOException, SQLException {
        admin.close();
        if (embedded != null) {
            embedded.close();
        }
    }
}
