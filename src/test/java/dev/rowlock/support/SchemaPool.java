package dev.rowlock.support;

import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.Servers;
import dev.rowlock.db.schema.Migrations;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.stream.Collectors;

/**
 * Pool of schemas that hold what the migrations wrote and nothing else. A schema is migrated once; after a test it is emptied, and dropped
 * instead if the test changed its tables, filled it with many rows, or still locks it. Thread-safe.
 */
final class SchemaPool {

    /** Dropping is faster than deleting more rows, and what the server knows of so large a table would mislead the next test. */
    private static final int MOST_ROWS = 20_000;

    private static final String TABLES =
            "select table_name from information_schema.tables where table_schema = database() and table_type = 'BASE TABLE'"
                    + " and table_name <> 'rowlock_schema_history'";
    private static final String COUNTED =
            "select table_name from information_schema.columns where table_schema = database() and extra like '%auto_increment%'";

    /** What a test may have changed of the tables themselves. */
    private static final String SHAPE = """
            select concat_ws('/',
              (select sum(crc32(concat_ws(',', table_name, column_name, column_type, is_nullable, ifnull(column_default, ''))))
                 from information_schema.columns where table_schema = database()),
              (select sum(crc32(concat_ws(',', table_name, index_name, column_name, seq_in_index)))
                 from information_schema.statistics where table_schema = database()),
              (select sum(crc32(view_definition)) from information_schema.views where table_schema = database()),
              (select count(*) from information_schema.triggers where trigger_schema = database()),
              (select count(*) from information_schema.routines where routine_schema = database()))
            """;

    private final DatabaseServer server;
    private final Deque<String> clean = new ConcurrentLinkedDeque<>();
    private final Map<String, String> shapes = new ConcurrentHashMap<>();

    SchemaPool(DatabaseServer server) {
        this.server = server;
    }

    /** Lends the schema that was given back last, or migrates a new one. */
    String take() throws SQLException {
        String free = clean.pollFirst();
        if (free != null) {
            return free;
        }
        String name = server.create();
        Migrations.run(new Servers(new DatabaseAddress(server.urlOf(name), server.user(), server.password())));
        try (Connection connection = server.connect(name);
                Statement statement = connection.createStatement()) {
            shapes.put(name, String.join("", column(statement, SHAPE)));
            keepSeeds(statement, name);
        }
        return name;
    }

    /** Empties the schema for the next test, or drops it. */
    void giveBack(String name) throws SQLException {
        if (isEmptied(name)) {
            clean.addFirst(name);
        } else {
            shapes.remove(name);
            server.drop(name);
            server.drop(seeds(name));
        }
    }

    private boolean isEmptied(String name) {
        try (Connection connection = server.connect(name);
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "set session lock_wait_timeout = 3, innodb_lock_wait_timeout = 3, foreign_key_checks = 0");
            if (!String.join("", column(statement, SHAPE)).equals(shapes.get(name))) {
                return false;
            }
            List<String> tables = column(statement, TABLES);
            Map<String, Integer> rows = rows(statement, tables);
            if (rows.values().stream().anyMatch(count -> count > MOST_ROWS)) {
                return false;
            }
            delete(statement, rows.keySet());
            restoreSeeds(statement, name);
            for (String table : column(statement, COUNTED)) {
                statement.execute("alter table " + table + " auto_increment = 1");
            }
            return true;
        } catch (SQLException e) {
            return false; // a statement or lock that the test left behind: the schema goes with it
        }
    }

    /** Deletes all rows of these tables, with a statement for those alone that have any. */
    static void empty(Connection connection, Collection<String> tables) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            delete(statement, rows(statement, tables).keySet());
        }
    }

    private static void delete(Statement statement, Collection<String> tables) throws SQLException {
        for (String table : tables) {
            statement.executeUpdate("delete from " + table);
        }
    }

    /** Those that have rows, with their number, counted no further than needed. */
    private static Map<String, Integer> rows(Statement statement, Collection<String> tables) throws SQLException {
        String counts = tables.stream()
                .map(table -> "select '" + table + "', count(*) from (select 1 from " + table + " limit "
                        + (MOST_ROWS + 1) + ") one")
                .collect(Collectors.joining(" union all "));
        Map<String, Integer> found = new TreeMap<>();
        try (ResultSet rows = statement.executeQuery(counts)) {
            while (rows.next()) {
                if (rows.getInt(2) > 0) {
                    found.put(rows.getString(1), rows.getInt(2));
                }
            }
        }
        return found;
    }

    private static String seeds(String name) {
        return name + "_seeds";
    }

    /** Copies what the migrations wrote, such as the rows that are locked. */
    private static void keepSeeds(Statement statement, String name) throws SQLException {
        statement.execute("drop database if exists " + seeds(name));
        statement.execute("create database " + seeds(name));
        for (String table : rows(statement, column(statement, TABLES)).keySet()) {
            statement.execute("create table " + seeds(name) + "." + table + " as select * from " + table);
        }
    }

    private static void restoreSeeds(Statement statement, String name) throws SQLException {
        List<String> seeded = column(
                statement,
                "select table_name from information_schema.tables where table_schema = '" + seeds(name) + "'");
        for (String table : seeded) {
            statement.executeUpdate("insert into " + table + " select * from " + seeds(name) + "." + table);
        }
    }

    private static List<String> column(Statement statement, String sql) throws SQLException {
        List<String> values = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                values.add(rows.getString(1));
            }
        }
        return values;
    }
}
