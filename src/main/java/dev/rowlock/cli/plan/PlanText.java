package dev.rowlock.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.cli.call.JobViews;
import dev.rowlock.cli.output.Cell;
import dev.rowlock.cli.output.Moments;
import dev.rowlock.cli.output.Printer;
import dev.rowlock.cli.output.Tone;
import dev.rowlock.cli.output.Trees;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Plan as people read it: what becomes of each job, and which fire times move.
 *
 * @param days how far ahead fire times were compared
 * @param all whether all of them are shown that the answer has
 */
record PlanText(Printer printer, int days, boolean all) {

    private static final int FIRE_TIMES = 6;
    /** Differing lines of a long text that are shown of each side. */
    private static final int LINES = 20;

    /** Hours shown of a plan that makes a difference to the load, the largest difference first. */
    private static final int HOURS = 3;

    /** Starts in an hour: fewer more or less are no news. */
    private static final long NOTABLE = 10;

    private record MovedFireTime(Instant at, boolean appears) {}

    void print(JsonNode plan) {
        for (JsonNode calendar : plan.path("calendars")) {
            if (!calendar.path("action").asText().equals("NONE")) {
                calendar(calendar);
            }
        }
        for (JsonNode change : plan.path("changes")) {
            if (!change.path("action").asText().equals("NONE")) {
                print(change.path("action").asText(), change);
            }
        }
        load(plan.path("load"));
        frozen(printer, plan);
        printer.line(summary(plan));
    }

    /** Says what the freeze that was asked about would cover. */
    static void frozen(Printer printer, JsonNode plan) {
        for (JsonNode change : plan.path("changes")) {
            JsonNode frozen = change.path("frozen");
            if (frozen.isObject()) {
                printer.line("frozen: " + JobViews.name(change) + ": "
                        + frozen.path("count").asLong() + " fire times, "
                        + frozen.path("first").asText() + " to "
                        + frozen.path("last").asText());
            }
        }
    }

    static String summary(JsonNode plan) {
        JsonNode summary = plan.path("summary");
        return summary.path("create").asLong() + " to create, "
                + summary.path("change").asLong() + " to change, "
                + summary.path("remove").asLong() + " to remove, "
                + summary.path("none").asLong() + " as they are" + ofCalendars(plan.path("calendars"));
    }

    /** Returns nothing for a plan without calendars. */
    private static String ofCalendars(JsonNode calendars) {
        Map<String, Integer> actions = new HashMap<>();
        calendars.forEach(calendar -> actions.merge(calendar.path("action").asText(), 1, Integer::sum));
        return actions.isEmpty()
                ? ""
                : "; calendars: " + actions.getOrDefault("CREATE", 0) + " to create, "
                        + actions.getOrDefault("CHANGE", 0) + " to change, "
                        + actions.getOrDefault("NONE", 0) + " as they are";
    }

    /** Returns the sentence of a plan that would change nothing. */
    static String unchanged(JsonNode plan) {
        long jobs = plan.path("summary").path("none").asLong();
        int calendars = plan.path("calendars").size();
        return "nothing to change: "
                + Stream.of(all(jobs, "job"), all(calendars, "calendar"))
                        .filter(words -> !words.isEmpty())
                        .collect(Collectors.joining(" and "))
                + (jobs + calendars == 1 ? " is" : " are") + " as the files say";
    }

    private static String all(long count, String what) {
        return count == 0 ? "" : count == 1 ? "the " + what : "all " + count + " " + what + "s";
    }

    private void calendar(JsonNode calendar) {
        String name = "calendar " + calendar.path("name").asText();
        boolean isNew = calendar.path("action").asText().equals("CREATE");
        printer.line(
                isNew
                        ? paint(Tone.GOOD, "+ " + name + " is created")
                        : paint(Tone.WARNING, "~ " + name + " is changed"));
        calendar.path("fields").forEach(this::field);
        if (!isNew) {
            printer.line("    fire times of the next 366 days, of all jobs that name it: "
                    + calendar.path("addedCount").asLong() + " appear, "
                    + calendar.path("removedCount").asLong() + " vanish");
        }
        printer.line("");
    }

    private void print(String action, JsonNode change) {
        String name = JobViews.name(change);
        printer.line(
                switch (action) {
                    case "CREATE" -> paint(Tone.GOOD, "+ " + name + " is created");
                    case "REMOVE" -> paint(Tone.BAD, "- " + name + " is removed");
                    default -> paint(Tone.WARNING, "~ " + name + " is changed");
                });
        change.path("fields").forEach(this::field);
        fireTimes(change.path("fireTimes"));
        change.path("warnings")
                .forEach(warning -> printer.line(paint(Tone.WARNING, "    warning: " + warning.asText())));
        printer.line("");
    }

    private String paint(Tone tone, String text) {
        return tone.paint(text, printer.colour());
    }

    private void field(JsonNode field) {
        String name = field.path("field").asText();
        JsonNode before = field.path("before");
        JsonNode after = field.path("after");
        boolean isSchedule = name.equals("schedule") && (before.isArray() || after.isArray());
        if (isSchedule || before.asText().contains("\n") || after.asText().contains("\n")) {
            printer.line("    " + name + ":");
            lines(text(before), text(after));
        } else if (before.isNull()) {
            printer.line("    " + name + ": " + paint(Tone.GOOD, shown(after)));
        } else {
            printer.line(
                    "    " + name + ": " + paint(Tone.BAD, shown(before)) + " → " + paint(Tone.GOOD, shown(after)));
        }
    }

    private static String shown(JsonNode value) {
        if (value.isArray()) {
            return Cell.printable(Trees.text(value));
        }
        return value.isTextual() && value.textValue().isEmpty()
                ? "\"\""
                : Cell.of(value).text();
    }

    private static List<String> text(JsonNode value) {
        if (!value.isArray()) {
            return value.isNull() ? List.of() : value.asText().lines().toList();
        }
        List<String> lines = new ArrayList<>();
        value.forEach(line -> lines.add(line.isTextual() ? line.textValue() : Trees.text(line)));
        return lines;
    }

    /** Shows the lines that differ, without what both begin and end with. */
    private void lines(List<String> before, List<String> after) {
        int shorter = Math.min(before.size(), after.size());
        int start = 0;
        while (start < shorter && before.get(start).equals(after.get(start))) {
            start++;
        }
        int end = 0;
        while (end < shorter - start && before.get(before.size() - 1 - end).equals(after.get(after.size() - 1 - end))) {
            end++;
        }
        side("- ", Tone.BAD, before.subList(start, before.size() - end));
        side("+ ", Tone.GOOD, after.subList(start, after.size() - end));
    }

    private void side(String mark, Tone tone, List<String> lines) {
        lines.stream()
                .limit(LINES)
                .forEach(line -> printer.line(
                        "      " + paint(tone, (mark + line.replaceAll("[\\p{Cntrl}&&[^\t]]", "?")).stripTrailing())));
        if (lines.size() > LINES) {
            printer.line("      … and " + (lines.size() - LINES) + " more lines");
        }
    }

    private void fireTimes(JsonNode fireTimes) {
        long added = fireTimes.path("addedCount").asLong();
        long removed = fireTimes.path("removedCount").asLong();
        if (added + removed > 0) {
            printer.line("    fire times of the next " + (days == 1 ? "day" : days + " days") + ": " + added
                    + " appear, " + removed + " vanish");
            List<MovedFireTime> moved = new ArrayList<>();
            add(moved, fireTimes.path("added"), true);
            add(moved, fireTimes.path("removed"), false);
            moved.sort(Comparator.comparing(MovedFireTime::at));
            List<MovedFireTime> shown = all ? moved : moved.subList(0, Math.min(FIRE_TIMES, moved.size()));
            shown.forEach(one -> fireTime(one, fireTimes.path("clockChanges")));
            if (added + removed > shown.size()) {
                printer.line("      … and " + (added + removed - shown.size()) + " more");
            }
        }
        for (JsonNode change : fireTimes.path("clockChanges")) {
            printer.line(paint(
                    Tone.WARNING,
                    "    the clocks change on " + change.path("day").asText() + " in "
                            + change.path("zone").asText() + ", from "
                            + change.path("from").asText() + " to "
                            + change.path("to").asText()));
        }
    }

    private static void add(List<MovedFireTime> moved, JsonNode times, boolean appear) {
        times.forEach(time -> Moments.parse(time.asText()).ifPresent(t -> moved.add(new MovedFireTime(t, appear))));
    }

    private void fireTime(MovedFireTime moved, JsonNode clockChanges) {
        String mark = moved.appears ? "+ " : "- ";
        @Nullable String zone = changedOn(moved.at, clockChanges);
        printer.line("      "
                + paint(
                        moved.appears ? Tone.GOOD : Tone.BAD,
                        mark + printer.moments().absolute(moved.at))
                + (zone == null ? "" : paint(Tone.WARNING, "  ! the clocks change that day in " + zone)));
    }

    private static @Nullable String changedOn(Instant at, JsonNode clockChanges) {
        for (JsonNode change : clockChanges) {
            String zone = change.path("zone").asText();
            if (at.atZone(ZoneId.of(zone))
                    .toLocalDate()
                    .toString()
                    .equals(change.path("day").asText())) {
                return zone;
            }
        }
        return null;
    }

    private void load(JsonNode load) {
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
            String line = "    " + printer.moments().shown(hour.path("hour")) + "  "
                    + hour.path("before").asLong() + " → " + hour.path("after").asLong();
            printer.line(paint(difference(hour) > 0 ? Tone.WARNING : Tone.GOOD, line));
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
