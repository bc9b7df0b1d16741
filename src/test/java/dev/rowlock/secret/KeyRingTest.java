package dev.rowlock.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyRingTest {

    private static final String FIRST = KeyRing.newKey();
    private static final String SECOND = KeyRing.newKey();
    private static final KeyRing RING = KeyRing.of(List.of(FIRST));
    private static final SecretLabel LABEL = new SecretLabel("shop", "db-password", 3);
    private static final SecretValue VALUE = SecretValue.of("correct horse – battery");

    @Test
    void what_is_sealed_opens_again() throws Exception {
        Sealed sealed = RING.seal(LABEL, VALUE);

        assertThat(RING.open(LABEL, sealed)).isEqualTo(VALUE);
        assertThat(sealed.keyId()).isEqualTo(RING.sealingId().orElseThrow());
        assertThat(new String(sealed.bytes(), java.nio.charset.StandardCharsets.ISO_8859_1))
                .doesNotContain("horse");
    }

    @Test
    void the_same_value_is_never_sealed_to_the_same_bytes() {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            byte[] bytes = RING.seal(LABEL, VALUE).bytes();
            seen.add(Base64.getEncoder().encodeToString(Arrays.copyOf(bytes, 12)));
        }
        assertThat(seen).hasSize(1000);
    }

    @Test
    void one_flipped_bit_anywhere_is_noticed() {
        Sealed sealed = RING.seal(LABEL, VALUE);
        for (int bit = 0; bit < 8 * sealed.bytes().length; bit++) {
            byte[] bytes = sealed.bytes().clone();
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
            assertThatThrownBy(() -> RING.open(LABEL, new Sealed(sealed.keyId(), bytes)))
                    .isInstanceOf(CannotOpen.class)
                    .hasMessageContaining("shop/db-password is not what was stored");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 11, 12, 27, 28, 40})
    void a_row_that_was_cut_is_noticed(int length) {
        Sealed sealed = RING.seal(LABEL, VALUE);

        assertThatThrownBy(() -> RING.open(LABEL, new Sealed(sealed.keyId(), Arrays.copyOf(sealed.bytes(), length))))
                .isInstanceOf(CannotOpen.class);
    }

    @ParameterizedTest
    @CsvSource({"shop, db-password, 2", "shop, db-password, 4", "shop, other, 3", "test, db-password, 3"})
    void what_is_moved_to_another_row_does_not_open(String namespace, String name, int version) {
        Sealed sealed = RING.seal(LABEL, VALUE);

        assertThatThrownBy(() -> RING.open(new SecretLabel(namespace, name, version), sealed))
                .isInstanceOf(CannotOpen.class)
                .hasMessageContaining(namespace + "/" + name);
    }

    @Test
    void a_ring_without_the_key_says_which_one_it_lacks_and_what_to_do() {
        Sealed sealed = RING.seal(LABEL, VALUE);

        assertThatThrownBy(() -> KeyRing.of(List.of(SECOND)).open(LABEL, sealed))
                .isInstanceOf(CannotOpen.class)
                .hasMessageContaining(sealed.keyId())
                .hasMessageContaining("secrets.previous-keys");
        assertThatThrownBy(() -> KeyRing.EMPTY.open(LABEL, sealed)).hasMessageContaining("secrets.key-file");
    }

    @Test
    void another_key_under_the_same_id_opens_nothing() {
        Sealed sealed = RING.seal(LABEL, VALUE);
        KeyRing other = KeyRing.of(List.of(SECOND));
        String otherId = other.sealingId().orElseThrow();

        assertThatThrownBy(() -> other.open(LABEL, new Sealed(otherId, sealed.bytes())))
                .isInstanceOf(CannotOpen.class);
    }

    @Test
    void the_first_key_seals_and_all_of_them_open() throws Exception {
        Sealed old = RING.seal(LABEL, VALUE);
        KeyRing both = KeyRing.of(List.of(SECOND, FIRST));

        Sealed fresh = both.seal(LABEL, both.open(LABEL, old));

        assertThat(fresh.keyId()).isNotEqualTo(old.keyId());
        assertThat(KeyRing.of(List.of(SECOND)).open(LABEL, fresh)).isEqualTo(VALUE);
        assertThat(both.ids()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"short", "bm90LTMyLWJ5dGVz", "", "!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!="})
    void what_is_no_key_is_refused_without_showing_it(String text) {
        assertThatThrownBy(() -> KeyRing.of(List.of(FIRST, text)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("key 2 ")
                .hasMessageContaining("openssl rand -base64 32")
                .satisfies(e -> assertThat(text.isEmpty() || !e.getMessage().contains(text))
                        .isTrue());
    }

    @ParameterizedTest
    @CsvSource({"abc, at least 4 characters", "a\0bcd, NUL", "abc\ud800d, Unicode"})
    void a_value_that_could_not_be_masked_or_passed_is_refused(String text, String problem) {
        assertThat(SecretValue.problem(text))
                .hasValueSatisfying(said -> assertThat(said).contains(problem).doesNotContain(text));
    }

    @Test
    void the_largest_value_has_64_kib() {
        assertThat(SecretValue.problem("x".repeat(65_536))).isEmpty();
        assertThat(SecretValue.problem("x".repeat(65_537))).isPresent();
        assertThat(SecretValue.problem("ä".repeat(32_769))).isPresent();
    }

    @Test
    void a_value_has_no_text_of_its_own() {
        assertThat(List.of(VALUE)).hasToString("[***]");
        assertThat(RING.toString()).doesNotContain(FIRST);
    }
}
