package dev.rowlock.db;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.support.TestDatabase;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("database")
class ServerCheckTest {

    @RegisterExtension
    static final TestDatabase SERVER = TestDatabase.withoutTables();

    @Test
    void the_server_of_the_tests_will_do() {
        assertThatCode(() -> ServerCheck.run(
                        new Server(new DatabaseAddress(SERVER.url(), SERVER.user(), SERVER.password()))))
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
        assertThatCode(() -> ServerCheck.checkVersion(version)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"8.0.15", "5.7.44-log", "10.5.28-MariaDB", "5.5.5-10.5.9-MariaDB", "5.5.68-MariaDB"})
    void too_old(String version) {
        assertThatThrownBy(() -> ServerCheck.checkVersion(version))
                .isInstanceOf(UnsuitableServer.class)
                .hasMessageContaining(version)
                .hasMessageContaining("8.0.16")
                .hasMessageContaining("10.6");
    }
}
