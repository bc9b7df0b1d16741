package dev.rowlock.schedule;

import java.nio.charset.StandardCharsets;

/**
 * {@link ParseAndPrint} for a fuzzer that looks at which branches are taken; {@code scripts/schedule-checks} runs it.
 * The first byte chooses the rule for clock changes, the rest is the text in UTF-8.
 */
public final class ScheduleFuzzer {

    private ScheduleFuzzer() {}

    /** Called by the fuzzer, by this name. */
    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length > 0) {
            DaylightSaving rule = (input[0] & 1) == 0 ? DaylightSaving.SHIFT : DaylightSaving.PLAIN;
            ParseAndPrint.acceptsAndDescribes(new String(input, 1, input.length - 1, StandardCharsets.UTF_8), rule);
        }
    }
}
