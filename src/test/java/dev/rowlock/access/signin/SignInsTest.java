package dev.rowlock.access.signin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.access.Caller;
import dev.rowlock.access.Grant;
import dev.rowlock.access.Role;
import dev.rowlock.access.SignInStore;
import dev.rowlock.access.SignInStore.SignInLifetime;
import dev.rowlock.access.TokenText;
import dev.rowlock.access.TooManyAttempts;
import dev.rowlock.access.signin.SignedIn.SignInMethod;
import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.DatabaseUnavailable;
import dev.rowlock.db.Servers;
import dev.rowlock.support.ManualNanos;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TcpRelay;
import dev.rowlock.support.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("database")
class SignInsTest {

    private static final Duration BELIEVED = Duration.ofMillis(4_001);
    private static final Grant PERSON = new Grant("oidc:ann", Role.EDITOR, Set.of("a", "b"));
    private static final Grant TOKEN = new Grant("deploy", Role.OPERATOR, Set.of("a"));

    @RegisterExtension
    static final TestDatabase testDatabase = new TestDatabase();

    private final ManualNanos nanos = new ManualNanos();
    private final SignInLifetime limits = new SignInLifetime(Duration.ofHours(12), Duration.ofDays(7));
    private final Rows rows = new Rows(testDatabase);
    private Database database;
    private SignIns here;
    private SignIns there;

    @BeforeAll
    static void migrate() {}

    private static DatabaseAddress address(String url) {
        return new DatabaseAddress(url, testDatabase.user(), testDatabase.password());
    }

    @BeforeEach
    void open() {
        for (String table : List.of("audit", "sign_in", "api_token", "setting where name = 'sign-in-key'")) {
            rows.run("delete from " + table);
        }
        database = Database.pooled(new Servers(address(testDatabase.url())), 2, Duration.ofSeconds(5));
        here = new SignIns(new SignInStore(database), limits, nanos);
        there = new SignIns(new SignInStore(database), limits, nanos);
        rows.run("insert into api_token (name, hash, created_at, token_id, role, namespaces) values ('deploy', '"
                + TokenText.hash("secret-1") + "', utc_timestamp(3), 'abc', 'operator', '[\"a\"]')");
    }

    @AfterEach
    void close() {
        database.close();
    }

    private static Caller caller(Grant grant) {
        return Caller.of(grant, "192.0.2.7", "request-1");
    }

    private List<String> audited() {
        return rows
                .all(
                        "select concat_ws(' ', action, kind, who, name, role, address, request_id, became) as said from audit"
                                + " order by id")
                .stream()
                .map(row -> String.valueOf(row.get("said")).replace("\": ", "\":"))
                .toList();
    }

    @Test
    void the_audit_tells_who_signed_in_and_out_from_where_and_how() {
        String person = here.begin(caller(PERSON));
        assertThat(here.begin(caller(TOKEN), "secret-1")).isPresent();
        assertThat(here.begin(caller(TOKEN), "another")).isEmpty();
        here.end(person, caller(PERSON));
        here.end(person, caller(PERSON));

        assertThat(audited())
                .containsExactly(
                        "sign_in session oidc:ann oidc:ann editor 192.0.2.7 request-1 {\"signedInBy\":\"OIDC\"}",
                        "sign_in session deploy deploy operator 192.0.2.7 request-1 {\"signedInBy\":\"TOKEN\"}",
                        "sign_out session oidc:ann oidc:ann editor 192.0.2.7 request-1");
    }

    @Test
    void failed_sign_ins_are_in_the_audit_but_do_not_fill_it() {
        for (int i = 0; i < 3 * FailedSignIns.AT_ONCE; i++) {
            here.refused(SignInMethod.TOKEN, "the token is not valid", "192.0.2.7", "request-" + i);
        }
        assertThat(audited())
                .hasSize(FailedSignIns.AT_ONCE)
                .first()
                .asString()
                .startsWith("sign_in_failed session - - none 192.0.2.7 request-0")
                .contains("the token is not valid");

        nanos.advance(FailedSignIns.ONE_MORE);
        here.refused(SignInMethod.OIDC, "no group of yours has a role", "192.0.2.8", "late");
        here.refused(SignInMethod.OIDC, "no group of yours has a role", "192.0.2.8", "later");
        assertThat(audited())
                .hasSize(FailedSignIns.AT_ONCE + 1)
                .last()
                .asString()
                .contains("192.0.2.8 late")
                .contains("\"leftOutBefore\":" + 2 * FailedSignIns.AT_ONCE);
    }

    /** Each is a row until its end, and one of the audit for a year. */
    @Test
    void who_signs_in_again_and_again_has_to_wait() {
        for (int i = 0; i < SignIns.AT_ONCE; i++) {
            assertThat(here.begin(caller(TOKEN), "secret-1")).isPresent();
        }
        assertThatThrownBy(() -> here.begin(caller(TOKEN), "secret-1"))
                .isInstanceOfSatisfying(
                        TooManyAttempts.class, e -> assertThat(e.seconds()).isBetween(1L, 60L))
                .hasMessageContaining("deploy has signed in too often");
        assertThat(here.begin(caller(PERSON))).isNotEmpty();
        assertThat(rows.count("sign_in where name = 'deploy'")).isEqualTo(SignIns.AT_ONCE);
        assertThat(rows.count("audit where who = 'deploy'")).isEqualTo(SignIns.AT_ONCE);
        nanos.advance(Duration.ofMinutes(1));
        assertThat(here.begin(caller(TOKEN), "secret-1")).isPresent();
    }

    @Test
    void every_node_knows_who_is_signed_in_and_the_database_knows_no_cookie() {
        String person = here.begin(caller(PERSON));
        String token = here.begin(caller(TOKEN), "secret-1").orElseThrow();

        assertThat(there.find(person).orElseThrow().grant()).isEqualTo(PERSON);
        assertThat(there.find(person).orElseThrow().way()).isEqualTo(SignInMethod.OIDC);
        assertThat(there.find(token).orElseThrow().grant()).isEqualTo(TOKEN);
        assertThat(there.find(token).orElseThrow().way()).isEqualTo(SignInMethod.TOKEN);
        assertThat(there.find(token).orElseThrow().csrfToken())
                .isEqualTo(here.find(token).orElseThrow().csrfToken())
                .isNotEqualTo(here.find(person).orElseThrow().csrfToken());
        String stored = rows.all("select * from sign_in").toString();
        assertThat(stored).contains(TokenText.hash(person)).doesNotContain(person.substring(0, 43), "secret-1");
    }

    @Test
    void signing_out_takes_effect_here_at_once_and_elsewhere_within_five_seconds() {
        String cookie = here.begin(caller(PERSON));
        assertThat(there.find(cookie)).isPresent();

        here.end(cookie, caller(PERSON));

        assertThat(here.find(cookie)).isEmpty();
        assertThat(there.find(cookie)).isPresent(); // still believed
        nanos.advance(BELIEVED);
        assertThat(there.find(cookie)).isEmpty();
    }

    @Test
    void who_asks_after_a_while_reads_for_all_who_are_there_so_that_each_need_not() {
        String one = here.begin(caller(PERSON));
        String other = here.begin(caller(PERSON));
        assertThat(here.find(one)).isPresent();
        assertThat(here.find(other)).isPresent();
        nanos.advance(Duration.ofMillis(3_300));
        assertThat(here.find(one)).isPresent();
        rows.run("delete from sign_in");

        // What was read 1.9 s ago is believed for 4 s, and what was read 5.2 s ago would not be.
        nanos.advance(Duration.ofMillis(1_900));
        assertThat(here.find(other)).isPresent();
        nanos.advance(BELIEVED);
        assertThat(here.find(other)).isEmpty();
    }

    @Test
    void who_signs_out_stays_out_whoever_reads_for_others() {
        String one = here.begin(caller(PERSON));
        String other = here.begin(caller(PERSON));
        assertThat(here.find(one)).isPresent();
        assertThat(here.find(other)).isPresent();
        here.end(other, caller(PERSON));
        nanos.advance(Duration.ofMillis(2_500));
        assertThat(here.find(one)).isPresent();
        assertThat(here.find(other)).isEmpty();
    }

    @Test
    void a_sign_in_by_token_has_the_rights_of_the_token_and_ends_with_it() {
        String cookie = here.begin(caller(TOKEN), "secret-1").orElseThrow();
        rows.run("update api_token set role = 'viewer', namespaces = null where name = 'deploy'");
        nanos.advance(BELIEVED);
        assertThat(here.find(cookie).orElseThrow().grant()).isEqualTo(new Grant("deploy", Role.VIEWER, Set.of()));

        rows.run("delete from api_token where name = 'deploy'");
        nanos.advance(BELIEVED);
        assertThat(here.find(cookie)).isEmpty();
    }

    @Test
    void a_rotated_token_ends_its_sign_ins_when_the_overlap_is_over() {
        String cookie = here.begin(caller(TOKEN), "secret-1").orElseThrow();
        rows.run("update api_token set previous_hash = hash, hash = '" + TokenText.hash("secret-2")
                + "', previous_until = utc_timestamp(3) + interval 1 hour where name = 'deploy'");
        nanos.advance(BELIEVED);
        assertThat(here.find(cookie)).isPresent();
        assertThat(here.begin(caller(TOKEN), "secret-1")).isPresent();

        rows.run("update api_token set previous_until = utc_timestamp(3) where name = 'deploy'");
        nanos.advance(BELIEVED);
        assertThat(here.find(cookie)).isEmpty();
        assertThat(here.begin(caller(TOKEN), "secret-1")).isEmpty();
        assertThat(here.begin(caller(TOKEN), "secret-2")).isPresent();
    }

    @Test
    void a_token_that_expires_ends_its_sign_ins() {
        String cookie = here.begin(caller(TOKEN), "secret-1").orElseThrow();
        rows.run("update api_token set expires_at = utc_timestamp(3) where name = 'deploy'");
        nanos.advance(BELIEVED);
        assertThat(here.find(cookie)).isEmpty();
        assertThat(here.begin(caller(TOKEN), "secret-1")).isEmpty();
    }

    @Test
    void use_moves_the_end_on_but_not_beyond_the_longest_time() {
        String cookie = here.begin(caller(PERSON));
        assertThat(here.find(cookie)).isPresent();
        String begun = rows.one("select expires_at from sign_in");
        nanos.advance(BELIEVED);
        assertThat(here.find(cookie)).isPresent();
        assertThat(rows.one("select expires_at from sign_in"))
                .as("not each use is written")
                .isEqualTo(begun);

        rows.run("update sign_in set expires_at = utc_timestamp(3) + interval 1 hour");
        nanos.advance(BELIEVED);
        assertThat(here.find(cookie)).isPresent();
        assertThat(rows.count("sign_in where expires_at > utc_timestamp(3) + interval 11 hour"))
                .isOne();

        rows.run("update sign_in set expires_at = utc_timestamp(3) + interval 1 minute,"
                + " ends_at = utc_timestamp(3) + interval 1 hour");
        nanos.advance(BELIEVED);
        assertThat(here.find(cookie)).isPresent();
        assertThat(rows.count("sign_in where expires_at = ends_at")).isOne();
    }

    @Test
    void who_does_nothing_for_too_long_is_signed_out_and_forgotten_with_the_next_sign_in() {
        String cookie = here.begin(caller(PERSON));
        rows.run("update sign_in set expires_at = utc_timestamp(3) - interval 1 second");
        nanos.advance(BELIEVED);
        assertThat(here.find(cookie)).isEmpty();
        assertThat(rows.count("sign_in")).isOne();

        here.begin(caller(PERSON));
        assertThat(rows.count("sign_in")).isOne();
        assertThat(rows.count("sign_in where hash = '" + TokenText.hash(cookie) + "'"))
                .isZero();
    }

    @Test
    void what_somebody_made_up_is_refused_without_the_database() throws Exception {
        try (TcpRelay relay = TcpRelay.to(testDatabase.address());
                Database away = Database.pooled(
                        new Servers(address(testDatabase.urlThrough(relay.port()))), 2, Duration.ofMillis(300))) {
            SignIns signIns = new SignIns(new SignInStore(away), limits, nanos);
            String cookie = signIns.begin(caller(PERSON));
            char other = cookie.charAt(5) == 'A' ? 'B' : 'A';
            relay.goAway();

            assertThat(signIns.find("")).isEmpty();
            assertThat(signIns.find(cookie.substring(0, 43))).isEmpty();
            assertThat(signIns.find(cookie.substring(0, 5) + other + cookie.substring(6)))
                    .isEmpty();
            assertThat(signIns.find(cookie + "x")).isEmpty();
            assertThatThrownBy(() -> signIns.find(cookie)).isInstanceOf(DatabaseUnavailable.class);
        }
    }

    @Test
    void a_database_that_was_put_back_and_has_another_key_is_noticed() {
        String before = here.begin(caller(PERSON));
        assertThat(here.find(before)).isPresent();
        rows.run("delete from setting where name = 'sign-in-key'");
        String after = there.begin(caller(PERSON)); // makes another key

        nanos.advance(Duration.ofSeconds(6));
        assertThat(here.find(after)).isPresent();
        assertThat(here.find(before)).isEmpty();
    }

    @Test
    void a_seal_is_opened_by_every_node_for_its_purpose_alone_and_not_after_a_change() {
        String sealed = here.seal("one").close("text\nof two lines");

        assertThat(there.seal("one").open(sealed)).contains("text\nof two lines");
        assertThat(there.seal("two").open(sealed)).isEmpty();
        assertThat(there.seal("one").open(sealed.substring(0, sealed.length() - 2)))
                .isEmpty();
        assertThat(there.seal("one").open((sealed.charAt(0) == 'A' ? 'B' : 'A') + sealed.substring(1)))
                .isEmpty();
        assertThat(there.seal("one").open("")).isEmpty();
        assertThat(there.seal("one").open("not Base64!")).isEmpty();
        assertThat(there.seal("one").open("A".repeat(100_000))).isEmpty();
    }

    @Test
    void a_sign_in_is_found_and_purged_by_an_index() {
        var find = rows.plan("select * from sign_in s left join api_token t on t.name = s.token" + " where s.hash in ('"
                + "0".repeat(64) + "', '" + "1".repeat(64) + "')");
        assertThat(find.get(0)).containsEntry("key", "PRIMARY");
        assertThat(find.get(1)).containsEntry("possible_keys", "PRIMARY"); // of one row, the server reads all
        for (int i = 0; i < 50; i++) {
            here.begin(caller(PERSON));
        }
        assertThat(rows.plan("delete from sign_in where expires_at < utc_timestamp(3) limit 100")
                        .get(0))
                .containsEntry("key", "by_expiry");
    }
}
