package dev.rowlock.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.db.SqlClient.ClientProgram;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

/** What the SQL client is told. */
class SqlClientTest {

    @Test
    void account_and_place_come_from_the_settings() {
        DatabaseAddress address = new DatabaseAddress("jdbc:mysql://db.example:3307/rowlock", "ops", "p # \"q\" \\n");

        assertThat(SqlClient.options(address, ClientProgram.MYSQL)).isEqualTo("""
                        [client]
                        protocol=tcp
                        host="db.example"
                        port=3307
                        user="ops"
                        password="p # \\"q\\" \\\\n"
                        ssl-mode=PREFERRED
                        [mysql]
                        database="rowlock"
                        """);
    }

    @Test
    void an_account_in_the_url_counts_if_the_settings_have_none() {
        DatabaseAddress address = new DatabaseAddress("jdbc:mysql://u:secret@h/d", "", "");

        assertThat(SqlClient.options(address, ClientProgram.MYSQL))
                .contains("user=\"u\"", "password=\"secret\"", "port=3306");
    }

    @Test
    void encryption_is_asked_for_as_the_driver_would() {
        assertThat(mariaDb("")).contains("disable-ssl-verify-server-cert").doesNotContain("\nssl\n");
        assertThat(mariaDb("?sslMode=DISABLED")).contains("skip-ssl");
        assertThat(mariaDb("?sslMode=REQUIRED")).contains("\nssl\n", "disable-ssl-verify-server-cert");
        assertThat(mariaDb("?sslMode=VERIFY_IDENTITY")).contains("\nssl-verify-server-cert");
    }

    @Test
    void of_several_hosts_the_first_that_can_be_reached_is_meant() throws IOException {
        try (ServerSocket there = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String url = "jdbc:mysql://127.0.0.1:1,127.0.0.1:" + there.getLocalPort() + ",127.0.0.1:1/d";

            assertThat(SqlClient.options(new DatabaseAddress(url, "u", "p"), ClientProgram.MYSQL))
                    .contains("port=" + there.getLocalPort());
        }
    }

    @Test
    void a_url_that_the_driver_cannot_read_is_refused() {
        DatabaseAddress address = new DatabaseAddress("jdbc:mysql://h:port/d", "", "");

        assertThatThrownBy(() -> SqlClient.options(address, ClientProgram.MYSQL))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static String mariaDb(String properties) {
        return SqlClient.options(new DatabaseAddress("jdbc:mysql://h/d" + properties, "u", "p"), ClientProgram.MARIADB);
    }
}
