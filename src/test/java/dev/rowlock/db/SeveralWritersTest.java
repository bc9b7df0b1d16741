package dev.rowlock.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.db.Writers.WriterMode;
import dev.rowlock.support.TcpRelay;
import dev.rowlock.support.TestDatabase;
import dev.rowlock.support.TwoServers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which servers of a URL take writes at the same time. */
@Tag("database")
class SeveralWritersTest {

    @RegisterExtension
    final TestDatabase tests = TestDatabase.withoutTables();

    @Test
    void those_that_take_writes_are_named_while_there_is_more_than_one(@TempDir Path dir) throws Exception {
        try (TwoServers both = new TwoServers(dir, tests)) {
            Servers servers = new Servers(both.address());
            assertThat(servers.writers().orElseThrow().names())
                    .containsExactly(
                            "127.0.0.1:" + both.firstAddress().getPort(),
                            "127.0.0.1:" + tests.address().getPort());

            both.first.run("set global read_only = 1");

            assertThat(servers.writers().orElseThrow().names()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    Primary      | ON  |
                    non-Primary  | OFF | is outside the primary component of its Galera cluster (wsrep_cluster_status is non-Primary)
                    Disconnected | OFF | is outside the primary component of its Galera cluster (wsrep_cluster_status is Disconnected)
                    Primary      | OFF | is a Galera member that is not ready yet (wsrep_ready is OFF)
                    """)
    void a_galera_member_takes_writes_in_the_primary_component_alone(String component, String ready, String why) {
        assertThat(Server.outsideComponent(Map.of("wsrep_cluster_status", component, "wsrep_ready", ready)))
                .isEqualTo(why);
    }

    @ParameterizedTest
    @CsvSource({"GALERA, name the members in database.url", "MULTI_PRIMARY, switch_to_single_primary_mode"})
    void a_cluster_of_writers_behind_one_address_is_told_of(WriterMode kind, String remedy) {
        assertThat(new Writers(kind, List.of()).problem()).get().asString().contains(remedy);
        assertThat(Writers.ONE.problem()).isEmpty();
    }

    @Test
    void two_names_of_one_server_and_one_that_is_away_are_one_writer() throws Exception {
        try (TcpRelay one = TcpRelay.to(tests.address());
                TcpRelay two = TcpRelay.to(tests.address());
                TcpRelay gone = TcpRelay.to(tests.address())) {
            gone.goAway();
            String hosts = "//127.0.0.1:" + one.port() + ",127.0.0.1:" + two.port() + ",127.0.0.1:" + gone.port() + "/";
            Servers servers = new Servers(
                    new DatabaseAddress(tests.url().replaceFirst("//[^/]*/", hosts), tests.user(), tests.password()));

            assertThat(servers.writers()).contains(Writers.ONE);
        }
    }
}
