package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.db.embedded.EmbeddedDatabase;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedWatchTest {

    @TempDir
    Path dir;

    @Test
    void a_database_that_has_died_runs_again_where_it_was() throws Exception {
        try (EmbeddedDatabase database = EmbeddedDatabase.start(dir)) {
            EmbeddedWatch watch = new EmbeddedWatch(database);
            String url = database.url();
            long pid = database.pid();
            watch.runOnce();
            assertThat(watch.state()).isEqualTo("runs");
            assertThat(database.pid()).isEqualTo(pid);

            database.kill();
            watch.runOnce();

            assertThat(watch.state()).isEqualTo("runs, after it had died");
            assertThat(database.pid()).isNotEqualTo(pid);
            assertThat(database.url()).isEqualTo(url);
            try (Connection connection = DriverManager.getConnection(url, database.user(), database.password())) {
                assertThat(connection.isValid(2)).isTrue();
            }
        }
    }

    /** Else the log would fill, and each start undo what the one before has recovered. */
    @Test
    void a_database_that_dies_again_and_again_is_started_each_time_later() throws Exception {
        try (EmbeddedDatabase database = EmbeddedDatabase.start(dir)) {
            EmbeddedWatch watch = new EmbeddedWatch(database);
            for (int seconds = 1; seconds <= 4; seconds *= 2) {
                database.kill();
                assertThat(watch.runOnce().rest()).isEqualTo(Duration.ofSeconds(seconds));
            }
            watch.runOnce(); // it runs, and has done so for a while
            database.kill();

            assertThat(watch.runOnce().rest()).isEqualTo(Duration.ofSeconds(1));
        }
    }

    /** Those who use it know no other port. */
    @Test
    void a_database_whose_port_was_taken_waits_for_it_each_time_longer() throws Exception {
        try (EmbeddedDatabase database = EmbeddedDatabase.start(dir)) {
            EmbeddedWatch watch = new EmbeddedWatch(database);
            String url = database.url();
            int port = URI.create(url.substring("jdbc:".length())).getPort();
            database.kill();

            try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                assertThat(taken.isBound()).isTrue();
                assertThat(watch.runOnce().rest()).isEqualTo(Duration.ofSeconds(1));
                assertThat(watch.runOnce().rest()).isEqualTo(Duration.ofSeconds(2));
                assertThat(watch.state()).startsWith("has died, and does not start: ");
                assertThat(database.isAlive()).isFalse();
            }
            watch.runOnce();

            assertThat(watch.state()).isEqualTo("runs, after it had died");
            assertThat(database.url()).isEqualTo(url);
        }
    }
}
