package dev.rowlock.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.support.TestDatabase;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("database")
class ServerCheckTest {

    @RegisterExtension
    static final TestDatabase SERVER = TestDatabase.withoutTables();

    @Test
    void the_server_of_the_tests_will_do() {
        assertThatCode(() -> ServerCheck.run(
                        new Server(new DatabaseAddress(SERVER.url(), SERVER.user(), SERVER.password())),
                        Duration.ofSeconds(30)))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "8.0.16",
                "9.7.4-1",
                "10.6.0-MariaDB",
                "5.5.5-10.11.5-MariaDB-log",
                "11.4.5-MariaDB",
                "12.0.2-MariaDB"
            })
    void new_enough(String version) {
        assertThatCode(() -> ServerCheck.check(kind(Map.of("version", version))))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"8.0.15", "5.7.44-log", "10.5.28-MariaDB", "5.5.5-10.5.9-MariaDB", "5.5.68-MariaDB"})
    void too_old(String version) {
        assertThatThrownBy(() -> ServerCheck.check(kind(Map.of("version", version))))
                .isInstanceOf(UnsuitableServer.class)
                .hasMessageContaining(version)
                .hasMessageContaining("8.0.16")
                .hasMessageContaining("10.6");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    8.0.11-TiDB-v8.5.1 | TiDB Server (Apache License 2.0)                                  | TiDB
                    8.0.30-Vitess      | Version: 21.0.0                                                   | Vitess
                    8.0.36-28.1        | Percona XtraDB Cluster (GPL), Release rel28, Revision bfb687f     | MariaDB with Galera
                    """)
    void servers_that_only_speak_the_language(String version, String comment, String said) {
        assertThatThrownBy(() -> ServerCheck.check(kind(Map.of("version", version, "version_comment", comment))))
                .isInstanceOf(UnsuitableServer.class)
                .hasMessageContaining(said);
    }

    @Test
    void a_galera_cluster_will_do_if_it_is_of_mariadb() {
        Map<String, String> member = Map.of("wsrep_on", "ON", "wsrep_provider", "/usr/lib/galera/libgalera_smm.so");
        ServerKind mariaDb = kind(with(member, "version", "11.4.5-MariaDB"));
        ServerKind mySql = kind(with(member, "version", "8.0.36"));

        assertThat(mariaDb.galera()).isTrue();
        assertThatCode(() -> ServerCheck.check(mariaDb)).doesNotThrowAnyException();
        assertThatThrownBy(() -> ServerCheck.check(mySql))
                .isInstanceOf(UnsuitableServer.class)
                .hasMessageContaining("single-primary mode");
    }

    @Test
    void a_log_of_statements_refuses_what_a_node_writes() {
        Map<String, String> log = Map.of("version", "11.4.5-MariaDB", "log_bin", "ON", "binlog_format", "STATEMENT");

        assertThatThrownBy(() -> ServerCheck.check(kind(log)))
                .isInstanceOf(UnsuitableServer.class)
                .hasMessageContaining("binlog_format");
        assertThatCode(() -> ServerCheck.check(kind(with(log, "log_bin", "OFF"))))
                .doesNotThrowAnyException();
    }

    @Test
    void a_server_that_will_not_do_is_waited_for_like_one_that_is_away() {
        assertThatThrownBy(() -> ServerCheck.check(kind(Map.of("version", "5.7.44"))))
                .isInstanceOfSatisfying(
                        DatabaseUnavailable.class,
                        e -> assertThat(e.needsMending()).isTrue());
    }

    @ParameterizedTest
    @CsvSource({"x, ON, false", "x, OFF, true", "'', OFF, false"})
    void only_a_group_of_several_primaries_takes_writes_everywhere(String group, String single, boolean several) {
        ServerKind kind = kind(Map.of(
                "version",
                "9.7.0",
                "group_replication_group_name",
                group,
                "group_replication_single_primary_mode",
                single));

        assertThat(kind.multiPrimary()).isEqualTo(several);
    }

    private static ServerKind kind(Map<String, String> variables) {
        return ServerKind.of(variables);
    }

    private static Map<String, String> with(Map<String, String> variables, String name, String value) {
        Map<String, String> more = new HashMap<>(variables);
        more.put(name, value);
        return more;
    }
}
