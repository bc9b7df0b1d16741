package dev.rowlock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("database")
class TcpRelayTest {

    private static final Duration LIMIT = Duration.ofSeconds(10);

    @RegisterExtension
    final TestDatabase database = TestDatabase.withoutTables();

    private TcpRelay relay;

    @BeforeEach
    void start() throws Exception {
        relay = TcpRelay.to(database.address());
        direct("create table t (id int primary key)");
    }

    @AfterEach
    void stop() throws Exception {
        relay.close();
    }

    @Test
    void what_goes_through_arrives() throws Exception {
        try (Connection connection = connect()) {
            insert(connection, 1);
            connection.commit();
            assertThat(relay.openConnections()).isEqualTo(1);
        }
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void a_commit_that_is_cut_before_the_server_sees_it_did_not_happen() throws Exception {
        try (Connection connection = connect()) {
            TcpRelay.Trap trap = relay.cutBefore(TcpRelay.statement("commit"));
            insert(connection, 1);
            assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
            assertThat(trap.awaitSprung(LIMIT)).isTrue();
        }
        assertThat(count()).isZero();
    }

    @Test
    void a_commit_that_is_cut_before_its_answer_did_happen() throws Exception {
        try (Connection connection = connect()) {
            TcpRelay.Trap trap = relay.cutAfter(TcpRelay.statement("commit"));
            insert(connection, 1);
            assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
            assertThat(trap.awaitSprung(LIMIT)).isTrue();
        }
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void a_trap_springs_once() throws Exception {
        relay.cutBefore(TcpRelay.statement("commit"));
        try (Connection connection = connect()) {
            insert(connection, 1);
            assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
        }
        try (Connection connection = connect()) {
            insert(connection, 2);
            connection.commit();
        }
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void a_trap_lets_other_statements_pass() throws Exception {
        TcpRelay.Trap trap = relay.cutBefore(text -> text.contains("values (7)"));
        try (Connection connection = connect()) {
            insert(connection, 1);
            connection.commit();
            assertThat(trap.hasSprung()).isFalse();
            assertThatThrownBy(() -> insert(connection, 7)).isInstanceOf(SQLException.class);
        }
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void all_connections_are_cut_at_once_and_new_ones_are_let_in() throws Exception {
        try (Connection one = connect();
                Connection two = connect()) {
            one.setAutoCommit(true); // else closing them would want to roll back, and say that it cannot
            two.setAutoCommit(true);
            relay.cutAll();
            assertThatThrownBy(() -> insert(one, 1)).isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> insert(two, 2)).isInstanceOf(SQLException.class);
            connect().close();
        }
        assertThat(relay.acceptedConnections()).isEqualTo(3);
    }

    @Test
    void a_database_that_is_away_lets_nobody_in_until_it_is_back() throws Exception {
        relay.goAway();
        assertThatThrownBy(this::connect).isInstanceOf(SQLException.class);
        relay.passThrough();
        connect().close();
    }

    @ParameterizedTest
    @EnumSource
    void a_black_hole_hides_either_way_until_it_ends(TcpRelay.Direction direction) throws Exception {
        try (Connection connection = connect()) {
            relay.blackhole(direction);
            CompletableFuture<Void> insert = CompletableFuture.runAsync(() -> insertUnchecked(connection));
            assertThatThrownBy(() -> insert.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            relay.passThrough();
            insert.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            connection.commit();
        }
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void a_delay_holds_every_packet_back() throws Exception {
        try (Connection connection = connect()) {
            relay.delay(Duration.ofMillis(100));
            long before = System.nanoTime();
            insert(connection, 1);
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(Duration.ofMillis(200));
        }
    }

    private Connection connect() throws SQLException {
        Connection connection =
                DriverManager.getConnection(database.urlThrough(relay.port()), database.user(), database.password());
        connection.setAutoCommit(false);
        return connection;
    }

    private static void insertUnchecked(Connection connection) {
        try {
            insert(connection, 1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void insert(Connection connection, int id) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("insert into t values (" + id + ")");
        }
    }

    private void direct(String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private int count() throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select count(*) from t")) {
            assertThat(rows.next()).isTrue();
            return rows.getInt(1);
        }
    }
}
