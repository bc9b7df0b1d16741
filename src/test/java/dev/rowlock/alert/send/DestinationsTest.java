package dev.rowlock.alert.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.support.Receiver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages do not reach what only this host or its network should, whatever a name server says. */
class DestinationsTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "127.8.8.8",
                "0.0.0.0",
                "169.254.169.254",
                "100.100.100.200",
                "168.63.129.16",
                "224.0.0.1",
                "255.255.255.255",
                "::1",
                "::",
                "fe80::1",
                "fd00:ec2::254",
                "fd20:ce::254",
                "::ffff:127.0.0.1",
                "::ffff:7f00:1",
                "::ffff:a9fe:a9fe",
                "0:0:0:0:0:ffff:7f00:0001",
                "::ffff:0:127.0.0.1",
                "64:ff9b:1::a9fe:a9fe",
                "::127.0.0.1",
                "64:ff9b::7f00:1",
                "2002:7f00:1::",
                "ff02::1"
            })
    void internal_addresses_are_refused(String address) {
        Destinations destinations = new Destinations(List.of(), host -> new InetAddress[] {at(address)});
        assertThatThrownBy(() -> destinations.of(address)).isInstanceOf(NotSent.class);
        assertThatThrownBy(() -> destinations.of("hooks.example.com"))
                .hasMessageContaining("hooks.example.com")
                .hasMessageContaining("alerts.allow-internal");
        String url = "http://" + (address.contains(":") ? "[" + address + "]" : address) + "/x";
        assertThat(destinations.problem(url)).contains("refused");
    }

    /** What the JDK itself takes for an address of loopback, and what other programs do. */
    @ParameterizedTest
    @ValueSource(strings = {"2130706433", "127.1", "127.0.1", "0", "0x7f000001", "0x7f.0.0.1", "localhost."})
    void other_ways_to_write_loopback_lead_nowhere(String host) {
        Destinations destinations = new Destinations(List.of(), InetAddress::getAllByName);
        assertThatThrownBy(() -> destinations.of(host)).isInstanceOf(NotSent.class);
    }

    @Test
    void one_internal_address_among_others_is_enough() {
        Destinations destinations =
                new Destinations(List.of(), host -> new InetAddress[] {at("192.0.2.1"), at("127.0.0.1")});
        assertThatThrownBy(() -> destinations.of("both.example.com")).isInstanceOf(NotSent.class);
    }

    @Test
    void other_addresses_and_exceptions_are_not_refused() throws NotSent {
        Destinations destinations = new Destinations(
                List.of("127.0.0.0/31", "inside.example.com"), host -> new InetAddress[] {at("169.254.1.1")});
        assertThat(destinations.of("192.0.2.7")).containsExactly(at("192.0.2.7"));
        assertThat(destinations.of("10.1.2.3")).containsExactly(at("10.1.2.3"));
        assertThat(destinations.of("127.0.0.1")).containsExactly(at("127.0.0.1"));
        assertThat(destinations.of("Inside.example.com")).containsExactly(at("169.254.1.1"));
        assertThatThrownBy(() -> destinations.of("127.0.0.2")).isInstanceOf(NotSent.class);
        assertThatThrownBy(() -> destinations.of("outside.example.com")).isInstanceOf(NotSent.class);
        assertThat(destinations.problem("http://localhost/")).isNull();
        assertThat(new Destinations(List.of(), InetAddress::getAllByName).problem("http://LOCALHOST/"))
                .contains("refused");
    }

    @Test
    void a_name_that_changes_after_the_check_leads_nowhere_else() throws IOException, NotSent {
        try (Receiver receiver = new Receiver()) {
            Deque<String> answers = new ArrayDeque<>(List.of("127.0.0.1", "169.254.169.254"));
            Destinations destinations =
                    new Destinations(List.of("127.0.0.1"), host -> new InetAddress[] {at(answers.remove())});
            WebClient client = new WebClient(destinations, TIMEOUT);
            URI url = URI.create(receiver.url("/").replace("127.0.0.1", "rebound.example.com"));
            client.send("GET", url, Map.of(), new byte[0]);
            assertThat(answers).hasSize(1); // asked once for the check and the connection
            assertThat(receiver.requests().get(0).headers().get("host")).startsWith("rebound.example.com:");
            assertThatThrownBy(() -> client.send("GET", url, Map.of(), new byte[0]))
                    .hasMessageContaining("169.254.169.254");
        }
    }

    @Test
    void a_redirect_is_not_followed() throws IOException {
        try (Receiver receiver = new Receiver();
                Receiver other = new Receiver()) {
            receiver.answer(302, other.url("/"));
            Destinations destinations = new Destinations(List.of("127.0.0.1"), InetAddress::getAllByName);
            WebClient client = new WebClient(destinations, TIMEOUT);
            assertThatThrownBy(() -> client.send("GET", URI.create(receiver.url("/")), Map.of(), new byte[0]))
                    .hasMessageContaining("redirect");
            assertThat(other.requests()).isEmpty();
        }
    }

    private static InetAddress at(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (IOException e) {
            throw new IllegalStateException(literal, e);
        }
    }
}
