package dev.rowlock.db.schema;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rowlock.db.SqlErrors;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Views of the schema. A dump first makes a view of constants for each, and the real ones last and in the name of their
 * creator: a restore that breaks off there, or runs as an account without that right, leaves views that answer
 * nonsense.
 */
final class Views {

    private static final Logger log = LoggerFactory.getLogger(Views.class);

    private static final String SCRIPT = "/db/migration/V1__schema.sql";
    /** Beginning of the views, which come last in the script. */
    private static final String FIRST = "-- Views for people";

    private static final Pattern NAME = Pattern.compile("create or replace sql security invoker view (\\w+) as");

    /**
     * Query of real views, which read a table. An account that may not see the text of one cannot tell, and leaves it
     * alone.
     */
    private static final String RIGHT = """
            select table_name as name from information_schema.views
             where table_schema = database() and security_type = 'INVOKER'
               and (view_definition is null or view_definition = '' or lower(view_definition) like '%from%')
            """;

    private Views() {}

    /** Returns the names of views that are missing, or differ from this version's. */
    static Set<String> broken(DataSource source) throws SQLException {
        try (Connection connection = source.getConnection()) {
            return broken(connection);
        }
    }

    private static Set<String> broken(Connection connection) throws SQLException {
        Set<String> names = new TreeSet<>();
        NAME.matcher(script())
                .results()
                .map((MatchResult found) -> found.group(1))
                .forEach(names::add);
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(RIGHT)) {
            while (rows.next()) {
                names.remove(rows.getString("name"));
            }
        }
        return names;
    }

    /**
     * Recreates all views if one is broken. Failure is logged, and keeps no node from its work: views are for people.
     */
    static void mend(DataSource source) throws SQLException {
        try (Connection connection = source.getConnection()) {
            Set<String> broken = broken(connection);
            if (broken.isEmpty()) {
                return;
            }
            try {
                make(connection);
                log.warn(
                        "recreated the views that were missing or no real ones, as after a restore: {}",
                        String.join(", ", broken));
            } catch (SQLException e) {
                tell(broken, e);
            }
        }
    }

    /** @throws SQLException it is that one, and no matter of views: the database is away */
    static void tell(Set<String> broken, SQLException e) throws SQLException {
        if (SqlErrors.isUnavailable(e)) {
            throw e;
        }
        log.warn(
                "the views {} are missing or no real ones, and cannot be made: {}; grant this account all"
                        + " rights on its database, and restart the node",
                String.join(", ", broken),
                e.getMessage());
    }

    private static void make(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            // Behind a long read it would wait, and every statement on the view behind it.
            statement.execute("set session lock_wait_timeout = 2");
            for (String sql : statements()) {
                statement.execute(sql);
            }
        }
    }

    /** Splits the script into statements: each ends with its line, and comments have lines of their own. */
    private static List<String> statements() {
        return Arrays.stream(script().replaceAll("(?m)^--.*\n", "").split(";\n"))
                .map(String::strip)
                .filter(sql -> !sql.isEmpty())
                .toList();
    }

    private static String script() {
        try (InputStream in = Objects.requireNonNull(Views.class.getResourceAsStream(SCRIPT), SCRIPT)) {
            String script = new String(in.readAllBytes(), UTF_8);
            return script.substring(script.indexOf(FIRST));
        } catch (IOException e) {
            throw new UncheckedIOException(SCRIPT, e);
        }
    }
}
