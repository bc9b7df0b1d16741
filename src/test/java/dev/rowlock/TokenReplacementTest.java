package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.access.TokenCheck;
import dev.rowlock.access.TokenStore;
import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.exec.HostIdentity;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** {@code rowlock admin-token replace} as it is typed. */
@Tag("database")
class TokenReplacementTest {

    @RegisterExtension
    final TestDatabase server = new TestDatabase();

    @RegisterExtension
    final TestDatabase untouched = TestDatabase.withoutTables();

    @TempDir
    Path home;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(Map<String, String> further, String... args) {
        Map<String, String> environment = new HashMap<>(Map.of(
                "ROWLOCK_HOME", home.toString(),
                "ROWLOCK_DATABASE_URL", server.url(),
                "ROWLOCK_DATABASE_USER", server.user(),
                "ROWLOCK_DATABASE_PASSWORD", server.password()));
        environment.putAll(further);
        List<String> words = new ArrayList<>(List.of("admin-token"));
        words.addAll(List.of(args));
        return Main.run(words, environment, new PrintStream(out, true), new PrintStream(err, true));
    }

    private DatabaseAddress address() {
        return new DatabaseAddress(server.url(), server.user(), server.password());
    }

    private boolean permits(DatabaseAddress address, String token) {
        try (Database database = Database.single(address, Duration.ofSeconds(5))) {
            return new TokenCheck(new TokenStore(database), System::nanoTime)
                    .find(token)
                    .isPresent();
        }
    }

    @Test
    void the_token_of_the_settings_becomes_the_clusters() {
        DatabaseAddress address = address();

        assertThat(run(Map.of("ROWLOCK_ADMIN_TOKEN", "the-one-before"), "replace"))
                .isZero();
        assertThat(run(Map.of("ROWLOCK_ADMIN_TOKEN", "the-new-one"), "replace")).isZero();

        assertThat(permits(address, "the-new-one")).isTrue();
        assertThat(permits(address, "the-one-before")).isFalse();
        assertThat(said()).contains("is replaced by that of the settings").doesNotContain("the-new-one");
        String row =
                "select concat_ws(' ', who, role, address, action, kind, name) from audit order by id desc limit 1";
        assertThat(new Rows(server).one(row))
                .isEqualTo(System.getProperty("user.name") + "@"
                        + HostIdentity.current().hostName() + " admin local replace token admin");
    }

    @Test
    void without_one_a_new_one_is_made_and_its_file_is_named() throws IOException {
        DatabaseAddress address = address();

        assertThat(run(Map.of(), "replace")).isZero();

        Path file = home.resolve("data/admin.token");
        assertThat(said()).contains("the new one is in " + file);
        assertThat(permits(address, Files.readString(file).strip())).isTrue();
    }

    @Test
    void nothing_is_replaced_unless_one_says_so() {
        DatabaseAddress address = address();
        run(Map.of("ROWLOCK_ADMIN_TOKEN", "the-one-before"), "replace");

        assertThat(run(Map.of("ROWLOCK_ADMIN_TOKEN", "the-new-one"))).isEqualTo(2);
        assertThat(run(Map.of("ROWLOCK_ADMIN_TOKEN", "the-new-one"), "replace", "all"))
                .isEqualTo(2);
        assertThat(permits(address, "the-one-before")).isTrue();
    }

    @Test
    void a_database_on_which_no_node_was_ever_started_is_said_to_be_that() {
        assertThat(run(Map.of("ROWLOCK_DATABASE_URL", untouched.url()), "replace"))
                .isEqualTo(69);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("has a node ever been started on it?");
        assertThat(home.resolve("data/admin.token")).doesNotExist();
    }

    private String said() {
        return out.toString(StandardCharsets.UTF_8);
    }
}
