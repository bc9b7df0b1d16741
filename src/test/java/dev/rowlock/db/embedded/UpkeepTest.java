package dev.rowlock.db.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Order(1)
class UpkeepTest {

    @TempDir
    Path dir;

    @Test
    void it_is_told_whether_it_runs_who_uses_it_and_of_which_version_it_is() throws Exception {
        Process node = DatabaseUser.start(dir);
        try {
            long server =
                    ServerProcess.running(Home.at(dir)).orElseThrow().handle().pid();

            assertThat(Upkeep.of(dir).status())
                    .containsEntry("directory", dir.toRealPath().toString())
                    .containsEntry("used by", "process " + node.pid())
                    .containsEntry("this version has", "MariaDB " + Binaries.RELEASE)
                    .hasEntrySatisfying("data", words -> assertThat(words).matches("MariaDB 11\\.4\\.5, [1-9]\\d+ MB"))
                    .hasEntrySatisfying(
                            "server",
                            words -> assertThat(words)
                                    .startsWith("runs, process " + server + ", port ")
                                    .endsWith(", MariaDB " + Binaries.RELEASE));
        } finally {
            node.getOutputStream().close();
            assertThat(node.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(Upkeep.of(dir).status())
                .containsEntry("server", "does not run")
                .containsEntry("used by", "nobody");
    }

    @Test
    void a_server_that_outlived_its_node_is_stopped() throws Exception {
        DatabaseUser.start(dir).destroyForcibly().waitFor();
        long server = ServerProcess.running(Home.at(dir)).orElseThrow().handle().pid();

        assertThat(Upkeep.of(dir).stop()).endsWith(", process " + server + ", is stopped");
        assertThat(ProcessHandle.of(server)).isEmpty();
        assertThat(Upkeep.of(dir).stop()).endsWith(" does not run");
    }

    @Test
    void a_server_that_somebody_uses_is_not_stopped() throws Exception {
        Process node = DatabaseUser.start(dir);
        try {
            assertThatThrownBy(() -> Upkeep.of(dir).stop())
                    .isInstanceOf(EmbeddedDatabaseProblem.class)
                    .hasMessageEndingWith("is used by process " + node.pid() + ": stop the node, which stops it, too.");
            assertThat(ServerProcess.running(Home.at(dir))).isPresent();
        } finally {
            node.getOutputStream().close();
            assertThat(node.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void a_dump_is_all_but_the_views_and_can_be_loaded_into_an_empty_one_alone() throws Exception {
        ByteArrayOutputStream dumped = new ByteArrayOutputStream();
        try (EmbeddedDatabase database = EmbeddedDatabase.start(dir.resolve("one"))) {
            execute(database, "create table t (name varchar(20) character set utf8mb4, body longblob)");
            execute(database, "insert into t values ('größe 🙂', concat(unhex('00ff27'), repeat('x', 3000000)))");
            execute(database, "create view v as select name from t");

            Upkeep.dump(database, dumped);
        }
        String text = dumped.toString(StandardCharsets.UTF_8);
        assertThat(text).doesNotContain("DEFINER", "VIEW").contains("-- Dump completed");
        Path file = dir.resolve("dump.sql");
        Files.write(file, dumped.toByteArray());

        try (EmbeddedDatabase database = EmbeddedDatabase.start(dir.resolve("two"))) {
            Upkeep.load(database, file);

            assertThat(query(database, "select concat(name, length(body), hex(left(body, 3))) from t"))
                    .isEqualTo("größe 🙂300000300FF27");
            assertThatThrownBy(() -> Upkeep.load(database, file))
                    .isInstanceOf(EmbeddedDatabaseProblem.class)
                    .hasMessageContaining("is not empty");
        }
    }

    @Test
    void what_cannot_be_loaded_or_dumped_is_told_in_the_program_s_words() throws Exception {
        Path file = Files.writeString(
                dir.resolve("dump.sql"),
                "select 1;\nslect '" + "secret ".repeat(100) + "';\n-- Dump completed on 2026-11-28  6:15:48\n");
        try (EmbeddedDatabase database = EmbeddedDatabase.start(dir.resolve("one"))) {
            assertThatThrownBy(() -> Upkeep.load(database, file))
                    .isInstanceOf(EmbeddedDatabaseProblem.class)
                    .hasMessageContaining("could not be loaded, exit code 1: ERROR 1064")
                    .hasMessageContaining("at line 2")
                    .extracting(Throwable::getMessage)
                    .satisfies(words ->
                            assertThat(words.split("secret", -1).length).isLessThan(20));
            database.kill();
            assertThatThrownBy(() -> Upkeep.dump(database, new ByteArrayOutputStream()))
                    .isInstanceOf(EmbeddedDatabaseProblem.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "create table t (id int);\n", "create table t (id int);\ninsert into t values (1"})
    void a_dump_that_was_cut_off_is_not_loaded_at_all(String rest) throws Exception {
        Path file = Files.writeString(dir.resolve("dump.sql"), rest);
        try (EmbeddedDatabase database = EmbeddedDatabase.start(dir.resolve("one"))) {
            assertThatThrownBy(() -> Upkeep.load(database, file))
                    .isInstanceOf(EmbeddedDatabaseProblem.class)
                    .hasMessageContaining(file + " does not end with \"-- Dump completed\"")
                    .hasMessageContaining("take a whole one");
            assertThat(database.names("BASE TABLE")).isEmpty();
        }
    }

    private static void execute(EmbeddedDatabase database, String sql) throws Exception {
        try (Connection connection = DriverManager.getConnection(database.url(), database.user(), database.password());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String query(EmbeddedDatabase database, String sql) throws Exception {
        try (Connection connection = DriverManager.getConnection(database.url(), database.user(), database.password());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).isTrue();
            return rows.getString(1);
        }
    }
}
