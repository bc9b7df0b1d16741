package dev.rowlock.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.audit.Audit;
import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.DatabaseUnavailable;
import dev.rowlock.db.Servers;
import dev.rowlock.support.TcpRelay;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Who is let in, who has to wait, and what is noted of it. */
@Tag("database")
class AdmissionTest {

    private static final String HERE = "10.0.0.1";

    @RegisterExtension
    final TestDatabase testDatabase = new TestDatabase();

    @SuppressWarnings("NullAway.Init")
    private Database database;

    @SuppressWarnings("NullAway.Init")
    private TokenStore store;

    @SuppressWarnings("NullAway.Init")
    private TcpRelay relay;

    private final AtomicLong nanos = new AtomicLong();

    @SuppressWarnings("NullAway.Init")
    private Admission admission;

    @BeforeEach
    void open() throws IOException {
        relay = TcpRelay.to(testDatabase.address());
        DatabaseAddress relayed = new DatabaseAddress(
                testDatabase.urlThrough(relay.port()), testDatabase.user(), testDatabase.password());
        database = Database.pooled(new Servers(relayed), 2, Duration.ofMillis(500));
        store = new TokenStore(database);
        store.replace("admin", TokenText.hash("chosen-by-a-person"), Audit.NONE);
        admission = new Admission(store, nanos::get);
    }

    @AfterEach
    void close() throws IOException {
        database.close();
        relay.close();
    }

    private String made(String name, @Nullable Instant expires) {
        TokenText text = TokenText.make();
        TokenView view = new TokenView(name, "viewer", List.of("a"), Instant.EPOCH, expires, null, null);
        assertThat(store.create(view, text.id(), text.hash(), Audit.NONE)).isTrue();
        admission.forget();
        return text.text();
    }

    private void guess(int times, String address) {
        for (int i = 0; i < times; i++) {
            assertThat(admission.find("guess-" + i, address)).isEmpty();
        }
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Test
    void a_token_stands_for_its_name_role_and_namespaces() {
        String token = made("t", null);
        assertThat(admission.find(token, HERE)).contains(new Grant("t", Role.VIEWER, Set.of("a")));
        String other = token.substring(0, token.length() - 1) + (token.endsWith("A") ? "B" : "A");
        assertThat(admission.find(other, HERE))
                .as("the same id, another secret")
                .isEmpty();
    }

    @Test
    void wrong_tokens_have_to_wait_and_the_answer_says_how_long() {
        guess(Guesses.AT_ONCE, HERE);

        assertThatThrownBy(() -> admission.find("guess", HERE))
                .isInstanceOfSatisfying(
                        TooManyAttempts.class, e -> assertThat(e.seconds()).isEqualTo(6));
        assertThat(admission.find("guess", "10.0.0.2")).as("from elsewhere").isEmpty();
        pass(Guesses.FORGIVEN);
        assertThat(admission.find("guess", HERE)).isEmpty();
        assertThatThrownBy(() -> admission.find("guess", HERE)).isInstanceOf(TooManyAttempts.class);
        pass(Guesses.FORGIVEN.multipliedBy(Guesses.AT_ONCE));
        guess(Guesses.AT_ONCE, HERE);
    }

    /** Many people may share an address, and one of them has a script with an old token. */
    @Test
    void who_has_a_right_token_is_let_in_from_where_others_guess() {
        String token = made("t", null);
        guess(Guesses.AT_ONCE, HERE);
        assertThat(admission.find(token, HERE)).as("nobody guesses its secret").isPresent();

        assertThatThrownBy(() -> admission.find("chosen-by-a-person", HERE)).isInstanceOf(TooManyAttempts.class);
        pass(Guesses.FORGIVEN);
        assertThat(admission.find("chosen-by-a-person", HERE)).isPresent();
        guess(1, HERE);
        assertThatThrownBy(() -> admission.find("guess", HERE)).isInstanceOf(TooManyAttempts.class);
        assertThat(admission.find("chosen-by-a-person", HERE))
                .as("it was right before")
                .isPresent();
    }

    @Test
    void all_addresses_of_a_network_of_ipv6_wait_together_and_memory_is_bounded() {
        Guesses guesses = new Guesses(nanos::get);
        for (int i = 0; i < Guesses.AT_ONCE; i++) {
            guesses.wrong("2001:db8:0:1::" + i);
        }
        assertThat(guesses.wait("2001:db8:0:1:ffff::9")).isPositive();
        assertThat(guesses.wait("2001:db8:0:2::1")).isZero();
        for (int i = 0; i < 10 * Guesses.AT_ONCE; i++) {
            guesses.wrong("2001:db8:1:" + Integer.toHexString(i) + "::1"); // each from a network of its own
        }
        assertThat(guesses.wait("2001:db8:1:ffff::1")).isPositive();
        assertThat(guesses.wait("2001:db8:2::1")).isZero();
        for (int i = 0; i < 20_000; i++) {
            guesses.wrong("10." + (i >> 16) + "." + ((i >> 8) & 255) + "." + (i & 255));
        }
        assertThat(guesses.size()).isEqualTo(10_000);
    }

    @Test
    void guessing_asks_the_database_once_a_second() {
        admission.find("chosen-by-a-person", HERE);
        long before = relay.statements();
        for (int i = 0; i < 200; i++) {
            admission.find("guess", "10.1.0." + i);
        }
        assertThat(relay.statements()).isEqualTo(before);
        pass(Duration.ofMillis(1100));
        for (int i = 0; i < 200; i++) {
            admission.find("guess", "10.2.0." + i);
        }
        assertThat(relay.statements() - before).isBetween(1L, 5L);
    }

    @Test
    void what_is_known_is_let_in_while_the_database_is_away_and_then_nobody_can_tell() {
        String token = made("t", null);
        assertThat(admission.find(token, HERE)).isPresent();
        relay.goAway();

        assertThat(admission.find(token, HERE)).isPresent();
        pass(Duration.ofMillis(5100));
        assertThatThrownBy(() -> admission.find(token, HERE)).isInstanceOf(DatabaseUnavailable.class);
        assertThatThrownBy(() -> admission.find("guess", HERE)).isInstanceOf(DatabaseUnavailable.class);
    }

    @Test
    void a_deleted_token_works_for_five_seconds_at_most_on_another_node() {
        String token = made("t", null);
        assertThat(admission.find(token, HERE)).isPresent();
        store.delete("t", false, Audit.NONE);

        pass(Duration.ofSeconds(4));
        assertThat(admission.find(token, HERE)).isPresent();
        pass(Duration.ofMillis(1100));
        assertThat(admission.find(token, HERE)).isEmpty();
        assertThat(admission.isStill(token, new Grant("t", Role.VIEWER, Set.of("a"))))
                .isFalse();
    }

    /** By the database's clock when it was read, and by this node's own pace from then on. */
    @Test
    void a_token_and_the_overlap_of_a_rotation_end_between_two_reads() {
        String hash = TokenText.hash("now");
        StoredToken token =
                new StoredToken("t", "id", hash, "viewer", Set.of(), 3_000_000L, TokenText.hash("before"), 2_000_000L);
        KnownTokens known = new KnownTokens(List.of(token), 0);
        assertThat(isKnown(known, "now", 2_999)).isTrue();
        assertThat(isKnown(known, "now", 3_000)).isFalse();
        assertThat(isKnown(known, "before", 1_999)).isTrue();
        assertThat(isKnown(known, "before", 2_000)).isFalse();
        assertThat(isKnown(known, "other", 0)).isFalse();
    }

    private static boolean isKnown(KnownTokens known, String token, long millis) {
        byte[] hash = KnownTokens.bytes(TokenText.hash(token));
        return known.find("id", hash, Duration.ofMillis(millis).toNanos()).isPresent();
    }

    @Test
    void what_is_read_of_a_token_says_how_long_it_works() {
        made("t", store.now().plusSeconds(100));
        store.rotate(
                "t",
                TokenText.hash("other"),
                Duration.ofSeconds(50),
                store.now().plusSeconds(200),
                Audit.NONE);
        StoredToken read = store.known().stream()
                .filter(token -> token.name().equals("t"))
                .findFirst()
                .orElseThrow();
        assertThat(read.expiresInMicros()).isBetween(190_000_000L, 200_000_000L);
        assertThat(read.previousInMicros()).isBetween(40_000_000L, 50_000_000L);
        store.rotate("t", TokenText.hash("last"), Duration.ofDays(1), null, Audit.NONE);
        assertThat(store.view("t").orElseThrow().previousWorksUntil())
                .as("no longer than it would have")
                .isBefore(store.now().plusSeconds(201));
    }

    @Test
    void uses_are_written_by_a_step_and_once_a_minute_at_most() {
        String token = made("t", null);
        admission.find(token, HERE);
        assertThat(store.view("t").orElseThrow().lastUsedAt())
                .as("by no request")
                .isNull();
        pass(Duration.ofSeconds(5));
        admission.writeUses();
        Instant first = store.view("t").orElseThrow().lastUsedAt();
        assertThat(first).isNotNull();
        assertThat(Duration.between(first, store.now())).isBetween(Duration.ofMillis(4900), Duration.ofSeconds(15));

        pass(Duration.ofSeconds(30));
        admission.find(token, HERE);
        admission.writeUses();
        assertThat(store.view("t").orElseThrow().lastUsedAt()).isEqualTo(first);
        pass(Duration.ofSeconds(31));
        admission.writeUses();
        assertThat(store.view("t").orElseThrow().lastUsedAt()).isNotNull().isAfterOrEqualTo(first);
        assertThat(store.view("admin").orElseThrow().lastUsedAt()).isNull();
    }

    @Test
    void a_role_of_a_later_version_lets_nobody_in() {
        String token = made("t", null);
        database.transact("test", handle -> handle.execute("update api_token set role = 'emperor' where name = 't'"));
        admission.forget();
        assertThat(admission.find(token, HERE)).isEmpty();
    }
}
