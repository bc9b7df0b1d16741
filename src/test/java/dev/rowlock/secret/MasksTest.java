package dev.rowlock.secret;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MasksTest {

    private static final String PASSWORD = "hunter2 +/ä";

    @Test
    void a_secret_becomes_three_stars_in_all_its_forms() {
        byte[] bytes = PASSWORD.getBytes(StandardCharsets.UTF_8);
        List<String> forms = List.of(
                PASSWORD,
                Base64.getEncoder().encodeToString(bytes),
                Base64.getUrlEncoder().withoutPadding().encodeToString(bytes),
                URLEncoder.encode(PASSWORD, StandardCharsets.UTF_8),
                URLEncoder.encode(PASSWORD, StandardCharsets.UTF_8).replace("+", "%20"),
                "hunter2%20%2b%2f%c3%a4",
                "hunter2%20%2B/%C3%A4");

        for (String form : forms) {
            assertThat(masked("a " + form + " b", PASSWORD)).as(form).isEqualTo("a *** b");
        }
    }

    /** As programs log requests, and as bash prints with set -x. */
    @Test
    void a_secret_is_found_in_strings_of_json_and_in_quotes_of_a_shell() {
        String secret = "pass\"w\\ord/\u00e4\tit's";
        List<String> forms = List.of(
                "pass\\\"w\\\\ord/\u00e4\\tit's",
                "pass\\\"w\\\\ord\\/\u00e4\\tit's",
                "pass\\\"w\\\\ord/\\u00e4\\tit's",
                "pass\\\"w\\\\ord\\/\\u00E4\\tit's",
                "pass\"w\\ord/\u00e4\tit'\\''s");

        for (String form : forms) {
            assertThat(masked("{\"a\": \"" + form + "\"}", secret)).as(form).isEqualTo("{\"a\": \"***\"}");
        }
    }

    @Test
    void base64_is_found_wherever_the_secret_stands_in_what_was_encoded() {
        for (int before = 0; before < 9; before++) {
            String text = "#".repeat(before) + PASSWORD + "####";
            String encoded = Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));

            String shown = masked(encoded, PASSWORD);

            assertThat(shown).as(encoded).contains("***").hasSizeLessThan(encoded.length() - 9);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {76, 64, 10, 1})
    void base64_is_found_across_its_lines(int width) {
        String secret = "a secret of more than a few lines: " + "x1y2z3".repeat(20);
        String encoded = Base64.getMimeEncoder(width / 4 * 4 == 0 ? 4 : width, new byte[] {'\n'})
                .encodeToString(("in front " + secret + " behind").getBytes(StandardCharsets.UTF_8));

        String shown = masked(encoded, secret);

        assertThat(shown.replace("\n", "")).hasSizeLessThan(40).contains("***");
    }

    @Test
    void the_lines_of_a_secret_are_masked_on_their_own() {
        String key = "-----BEGIN KEY-----\nMIIEvQIBADANBgkq\nshort\n-----END KEY-----\n";

        assertThat(masked(key, key)).isEqualTo("***");
        assertThat(masked("> MIIEvQIBADANBgkq\r\n> short\n", key)).isEqualTo("> ***\r\n> short\n");
        assertThat(masked("[" + key.strip() + "]", key)).isEqualTo("[***]");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            abcdabcd      | ******
            xabcd         | x***
            abc           | abc
            abcabcd       | abc***
            abcdefghi     | ***
            cdefg         | c***
            ghighi        | ghighi
            """)
    void what_overlaps_becomes_one_mask(String output, String shown) {
        assertThat(masked(output, "abcd", "cdefgh", "defg", "ghix", "efghi")).isEqualTo(shown);
    }

    @Test
    void however_it_is_cut_into_pieces_the_result_is_that_of_the_whole() {
        for (int seed = 0; seed < 3_000; seed++) {
            Random random = new Random(seed);
            List<SecretValue> secrets = secrets(random);
            byte[] output = output(random, secrets);
            List<Form> forms = Form.of(secrets.stream().map(SecretValue::reveal).toList());

            assertThat(inPieces(random, Masks.of(secrets), output))
                    .as("seed %s", seed)
                    .isEqualTo(naively(output, forms));
        }
    }

    @Test
    void neither_side_of_a_gap_shows_a_piece_of_what_it_cut() {
        for (int seed = 0; seed < 3_000; seed++) {
            Random random = new Random(seed);
            String secret = text(random, 6 + random.nextInt(30), "abcdefghijklmnopqrstuvwxyz");
            String output = "0123".repeat(random.nextInt(9)) + secret + "4567".repeat(random.nextInt(9));
            int from = random.nextInt(output.length());
            int to = from + 1 + random.nextInt(output.length() - from);
            ByteArrayOutputStream shown = new ByteArrayOutputStream();
            Masking masking = Masks.of(List.of(SecretValue.of(secret))).begin(shown::write);

            feed(random, masking, output.substring(0, from).getBytes(StandardCharsets.UTF_8));
            masking.gap();
            feed(random, masking, output.substring(to).getBytes(StandardCharsets.UTF_8));
            masking.end();

            assertThat(shown.toString(StandardCharsets.UTF_8))
                    .as("seed %s: %s without %s to %s", seed, output, from, to)
                    .matches("[0-9*]*");
        }
    }

    @Test
    void what_may_become_a_secret_is_held_back_until_it_is_known() {
        ByteArrayOutputStream shown = new ByteArrayOutputStream();
        Masking masking = Masks.of(List.of(SecretValue.of("hunter2"))).begin(shown::write);

        masking.feed("it is hunt".getBytes(StandardCharsets.UTF_8));
        assertThat(shown.toString(StandardCharsets.UTF_8)).isEqualTo("it is ");
        assertThat(masking.held()).isEqualTo(4);

        masking.feed("ing".getBytes(StandardCharsets.UTF_8));
        assertThat(shown.toString(StandardCharsets.UTF_8)).isEqualTo("it is hunting");

        masking.feed(" hun".getBytes(StandardCharsets.UTF_8));
        masking.end();
        assertThat(shown.toString(StandardCharsets.UTF_8)).isEqualTo("it is hunting hun");
    }

    private static String masked(String output, String... secrets) {
        ByteArrayOutputStream shown = new ByteArrayOutputStream();
        Masking masking =
                Masks.of(Stream.of(secrets).map(SecretValue::of).toList()).begin(shown::write);
        masking.feed(output.getBytes(StandardCharsets.UTF_8));
        masking.end();
        return shown.toString(StandardCharsets.UTF_8);
    }

    private static String inPieces(Random random, Masks masks, byte[] output) {
        ByteArrayOutputStream shown = new ByteArrayOutputStream();
        Masking masking = masks.begin(shown::write);
        feed(random, masking, output);
        masking.end();
        return shown.toString(StandardCharsets.ISO_8859_1);
    }

    private static void feed(Random random, Masking masking, byte[] output) {
        int at = 0;
        while (at < output.length) {
            int next = Math.min(output.length, at + 1 + random.nextInt(random.nextBoolean() ? 3 : 60));
            masking.feed(Arrays.copyOfRange(output, at, next));
            at = next;
        }
    }

    /** What the rule says, place by place: without pieces, indexes, or anything held back. */
    private static String naively(byte[] output, List<Form> forms) {
        BitSet covered = new BitSet();
        BitSet begins = new BitSet();
        for (int i = 0; i < output.length; i++) {
            for (Form form : forms) {
                int end = end(output, i, form);
                if (end > 0) {
                    if (!covered.get(i)) {
                        begins.set(i);
                    }
                    covered.set(i, end);
                }
            }
        }
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < output.length; i++) {
            shown.append(begins.get(i) ? "***" : covered.get(i) ? "" : String.valueOf((char) (output[i] & 0xff)));
        }
        return shown.toString();
    }

    /** Where a form that begins at a place ends; -1: it does not stand there. */
    private static int end(byte[] output, int from, Form form) {
        int at = from;
        for (int j = 0; j < form.bytes().length; at++) {
            if (at == output.length) {
                return -1;
            }
            boolean skipped = j > 0 && form.wraps() && (output[at] == '\n' || output[at] == '\r');
            if (!skipped && output[at] != form.bytes()[j++]) {
                return -1;
            }
        }
        return at;
    }

    private static List<SecretValue> secrets(Random random) {
        List<SecretValue> secrets = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(3); i++) {
            secrets.add(
                    SecretValue.of(text(random, 4 + random.nextInt(24), random.nextBoolean() ? "ab" : "aB1+/ä\n %")));
        }
        return secrets;
    }

    private static byte[] output(Random random, List<SecretValue> secrets) {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        for (int i = 0; i < 1 + random.nextInt(12); i++) {
            String secret = secrets.get(random.nextInt(secrets.size())).reveal();
            String around = text(random, random.nextInt(6), "abB1\n=");
            byte[] piece = (around + secret).getBytes(StandardCharsets.UTF_8);
            switch (random.nextInt(6)) {
                case 0 -> output.writeBytes(piece);
                case 1 -> output.writeBytes(Base64.getEncoder().encode(piece));
                case 2 ->
                    output.writeBytes(Base64.getMimeEncoder(4 + 4 * random.nextInt(3), new byte[] {'\n'})
                            .encode(piece));
                case 3 ->
                    output.writeBytes(URLEncoder.encode(around + secret, StandardCharsets.UTF_8)
                            .getBytes(StandardCharsets.UTF_8));
                case 4 -> output.writeBytes(Arrays.copyOf(piece, random.nextInt(piece.length + 1)));
                default ->
                    output.writeBytes(
                            text(random, random.nextInt(9), "abB1+/%\n").getBytes(StandardCharsets.UTF_8));
            }
        }
        return output.toByteArray();
    }

    private static String text(Random random, int length, String letters) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append(letters.charAt(random.nextInt(letters.length())));
        }
        return text.toString();
    }
}
