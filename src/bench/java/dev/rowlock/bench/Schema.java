package dev.rowlock.bench;

import dev.rowlock.db.DatabaseAddress;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;

/** A database of its own for one contender in one round, dropped when it is closed, unless it is to be kept. */
final class Schema implements AutoCloseable {

    /** What HikariCP advises for MySQL, for the peers; the product sets its own. */
    private static final String TUNED = "&rewriteBatchedStatements=true&cachePrepStmts=true&useServerPrepStmts=true"
            + "&prepStmtCacheSize=250&prepStmtCacheSqlLimit=2048&useLocalSessionState=true&cacheResultSetMetadata=true"
            + "&cacheServerConfiguration=true&elideSetAutoCommits=true&maintainTimeStats=false&connectionTimeZone=UTC";

    private static final String MAY_WRITE_NO_LOG = """
            select count(*) from information_schema.user_privileges
             where privilege_type in ('SUPER', 'SYSTEM_VARIABLES_ADMIN', 'BINLOG ADMIN')
               and grantee = concat("'", replace(current_user(), '@', "'@'"), "'")
            """;

    final DatabaseAddress address;
    private final Connection connection;
    private final String name;
    private final boolean isKept;

    /** @param isKept whether it outlives this call */
    Schema(DatabaseAddress address, String name, boolean isKept) throws SQLException {
        this.address = address;
        this.name = name;
        this.isKept = isKept;
        this.connection = DriverManager.getConnection(
                address.url() + "&rewriteBatchedStatements=true&connectionTimeZone=UTC",
                address.user(),
                address.password());
    }

    String peerUrl() {
        return address.url() + TUNED;
    }

    /** What this connection writes from now on goes into no binary log, if it may say so: the log would be as large as a long history. */
    void writeNoLog() {
        if (number(MAY_WRITE_NO_LOG) > 0) {
            run("set session sql_log_bin = 0");
        }
    }

    synchronized int run(String sql) {
        try (Statement statement = connection.createStatement()) {
            return statement.executeUpdate(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** Statements separated by semicolons; lines that begin with # or -- are left out. */
    void script(String sql) {
        String plain = sql.replaceAll("(?m)^\\s*(#|--).*$", "");
        Arrays.stream(plain.split(";")).map(String::strip).filter(s -> !s.isEmpty()).forEach(this::run);
    }

    synchronized long number(String sql) {
        String text = text(sql);
        return text == null ? 0 : (long) Double.parseDouble(text);
    }

    synchronized String text(String sql) {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getString(1) : null;
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** A derived table {@code numbers(n)} with 1 to {@code most}. */
    static String numbers(int most) {
        String digits = "(select 0 n union all select 1 union all select 2 union all select 3 union all select 4"
                + " union all select 5 union all select 6 union all select 7 union all select 8 union all select 9)";
        StringBuilder sum = new StringBuilder("1");
        StringBuilder from = new StringBuilder();
        long scale = 1;
        for (int i = 0; scale < most; i++) {
            sum.append(" + ").append(scale).append(" * d").append(i).append(".n");
            from.append(i == 0 ? "" : " join ").append(digits).append(" d").append(i);
            scale *= 10;
        }
        String all = from.isEmpty() ? "select 1 as n" : "select " + sum + " as n from " + from;
        return "(select n from (" + all + ") every where n <= " + most + ") numbers";
    }

    @Override
    public void close() throws SQLException {
        if (!isKept) {
            run("drop database " + name);
        }
        connection.close();
    }
}
