package dev.rowlock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.cli.output.Moments;
import dev.rowlock.cli.output.Printer;
import dev.rowlock.cli.output.Tone;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The hours in which a plan makes a difference to the load: the largest first. */
record LoadText(Printer printer) {

    private static final int HOURS = 3;
    /** Starts in an hour: fewer more or less are no news. */
    private static final long NOTABLE = 10;

    void print(JsonNode load) {
        List<JsonNode> hours = new ArrayList<>();
        load.forEach(hour -> {
            if (isNotable(hour)) {
                hours.add(hour);
            }
        });
        if (hours.isEmpty()) {
            return;
        }
        hours.sort(Comparator.comparingLong(hour -> -Math.abs(difference(hour))));
        printer.line("starts in an hour, of the jobs in this plan:");
        hours.stream().limit(HOURS).forEach(hour -> {
            String at = Moments.parse(hour.path("hour").asText())
                    .map(printer.moments()::absolute)
                    .orElse("");
            String line = "    " + at + "  " + hour.path("before").asLong() + " → "
                    + hour.path("after").asLong();
            printer.line((difference(hour) > 0 ? Tone.WARNING : Tone.GOOD).paint(line, printer.colour()));
        });
        if (hours.size() > HOURS) {
            printer.line("    … and " + (hours.size() - HOURS) + " more hours");
        }
        printer.line("");
    }

    private static boolean isNotable(JsonNode hour) {
        long difference = Math.abs(difference(hour));
        return difference >= NOTABLE && 4 * difference >= hour.path("before").asLong();
    }

    private static long difference(JsonNode hour) {
        return hour.path("after").asLong() - hour.path("before").asLong();
    }
}
