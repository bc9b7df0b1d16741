package dev.rowlock.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Strings of every kind are read as a schedule or refused with a {@link ScheduleProblem}; nothing else happens.
 * By default a sample; {@code scripts/schedule-checks} reads a million,
 * and has a fuzzer search for more that looks at the branches taken. */
class ScheduleFuzzTest {

    private static final int STRINGS =
            "full".equals(System.getProperty("rowlock.scheduleChecks")) ? 1_000_000 : 200_000;
    private static final String ALPHABET = "0123456789*,-/?LW#lw \t@:=+.\u0663\u00a0\u2003é\n\0";
    private static final String[] WORDS = {
        "*",
        "0",
        "1",
        "5",
        "7",
        "59",
        "60",
        "31",
        "12",
        "23",
        "2024",
        "*/5",
        "*/2",
        "1-5",
        "0/15",
        "L",
        "LW",
        "L-3",
        "15W",
        "5L",
        "FRI#2",
        "MON-FRI",
        "?",
        "JAN",
        "sunday",
        "@every ",
        "1h30m",
        "5s",
        "@daily",
        "@at ",
        "2026-12-01T03:00:00Z",
        "@manual",
        "TZ=",
        "CRON_TZ=",
        "Europe/Berlin ",
        "UTC ",
        ",",
        "-",
        "/",
        "#",
        " ",
        "  ",
        "99999999999",
        "-1"
    };

    private static final List<String> SEEDS = FuzzSeeds.all();

    private final long seed = Long.getLong("rowlock.seed", 99L);
    private final Random random = new Random(seed);

    private String anyText() {
        return switch (random.nextInt(6)) {
            case 0 -> noise();
            case 1 -> words();
            case 2 -> RandomCron.of(random).text();
            case 3 -> SEEDS.get(random.nextInt(SEEDS.size()));
            case 4 -> mutated(SEEDS.get(random.nextInt(SEEDS.size())));
            default -> damaged(RandomCron.of(random).text());
        };
    }

    private String noise() {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(24); i > 0; i--) {
            text.append(
                    random.nextInt(20) == 0
                            ? (char) random.nextInt(0x10000)
                            : ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return text.toString();
    }

    private String words() {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(9); i > 0; i--) {
            text.append(WORDS[random.nextInt(WORDS.length)]).append(random.nextInt(3) == 0 ? "" : " ");
        }
        return text.toString();
    }

    private String damaged(String valid) {
        StringBuilder text = new StringBuilder(valid);
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            char c = ALPHABET.charAt(random.nextInt(ALPHABET.length()));
            switch (text.isEmpty() ? 0 : random.nextInt(3)) {
                case 0 -> text.insert(random.nextInt(text.length() + 1), c);
                case 1 -> text.setCharAt(random.nextInt(text.length()), c);
                default -> text.deleteCharAt(random.nextInt(text.length()));
            }
        }
        return text.toString();
    }

    /** From one to three changes: pieces of it doubled, swapped or crossed with another, or single characters. */
    private String mutated(String valid) {
        String text = valid;
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            String other = SEEDS.get(random.nextInt(SEEDS.size()));
            int at = random.nextInt(text.length() + 1);
            text = switch (random.nextInt(4)) {
                case 0 -> text.substring(0, at) + other.substring(Math.min(at, other.length()));
                case 1 -> text.substring(0, at) + WORDS[random.nextInt(WORDS.length)] + text.substring(at);
                case 2 -> text.substring(0, at) + text.substring(random.nextInt(text.length() + 1));
                default -> damaged(text);
            };
        }
        return text;
    }

    @Tag("slow")
    @Test
    void any_text_is_a_schedule_or_a_problem_and_a_schedule_survives_printing() {
        int accepted = 0;
        for (int i = 0; i < STRINGS; i++) {
            String text = anyText();
            DaylightSaving rule = random.nextBoolean() ? DaylightSaving.SHIFT : DaylightSaving.PLAIN;
            boolean schedule =
                    i % 100 == 0 ? ParseAndPrint.acceptsAndDescribes(text, rule) : ParseAndPrint.accepts(text, rule);
            accepted += schedule ? 1 : 0;
        }
        System.out.printf("strings: %d, accepted: %d, seed %d%n", STRINGS, accepted, seed);
        assertThat(accepted).isBetween(STRINGS / 5, STRINGS * 4 / 5);
    }

    @Test
    void the_fuzzer_finds_nothing_in_its_seeds() {
        assertThat(SEEDS).hasSizeGreaterThan(200).allSatisfy(seed -> {
            ScheduleFuzzer.fuzzerTestOneInput(("0" + seed).getBytes(StandardCharsets.UTF_8));
            ScheduleFuzzer.fuzzerTestOneInput(("1" + seed).getBytes(StandardCharsets.UTF_8));
        });
    }
}
