package dev.rowlock.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Instants as {@code DATETIME} in UTC. They travel as text, as a {@code java.sql.Timestamp} passes through the JVM's
 * own time zone, and are cut to milliseconds here, because MySQL rounds what MariaDB truncates.
 */
public final class SqlTime {

    private static final DateTimeFormatter MILLIS = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS", Locale.ROOT);

    private static final String NOW = "select utc_timestamp(3) as now";

    private SqlTime() {}

    /** Returns the database's time. */
    public static Instant now(Handle handle) {
        return handle.createQuery(NOW).map((row, context) -> read(row, "now")).one();
    }

    /** Returns a time as SQL takes it, in UTC, cut to milliseconds: MySQL would round, MariaDB truncate. */
    public static String text(Instant t) {
        return LocalDateTime.ofInstant(t.truncatedTo(ChronoUnit.MILLIS), ZoneOffset.UTC)
                .format(MILLIS);
    }

    public static @Nullable String textOrNull(@Nullable Instant t) {
        return t == null ? null : text(t);
    }

    /**
     * Reads a time of UTC.
     *
     * @throws SQLException it is null
     */
    public static Instant read(ResultSet row, String column) throws SQLException {
        Instant t = readOrNull(row, column);
        if (t == null) {
            throw new SQLException("column " + column + " is null");
        }
        return t;
    }

    public static @Nullable Instant readOrNull(ResultSet row, String column) throws SQLException {
        LocalDateTime t = row.getObject(column, LocalDateTime.class);
        return t == null ? null : t.toInstant(ZoneOffset.UTC);
    }
}
