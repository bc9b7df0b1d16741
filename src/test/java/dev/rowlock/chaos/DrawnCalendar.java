package dev.rowlock.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.format.TextStyle;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * A calendar as operators draw it, and as the checks understand it, date by date.
 *
 * @param zone empty: that of the schedule
 * @param week the open weekdays
 * @param closed texts such as {@code 2026-12-25}, {@code --12-25} and {@code 2026-12-24..2026-12-26}
 * @param open likewise
 */
record DrawnCalendar(String zone, Set<String> week, List<String> closed, List<String> open) {

    static final DrawnCalendar ALWAYS_OPEN = new DrawnCalendar("", everyDay(), List.of(), List.of());

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TO = "..";

    static DrawnCalendar of(JsonNode json) {
        Set<String> week = new TreeSet<>();
        json.path("week").forEach(day -> week.add(day.textValue()));
        return new DrawnCalendar(
                json.path("zone").asText(""),
                json.hasNonNull("week") ? week : everyDay(),
                dates(json.path("closed")),
                dates(json.path("open")));
    }

    static String word(LocalDate date) {
        return word(date.getDayOfWeek());
    }

    static String range(LocalDate from, LocalDate to) {
        return from + TO + to;
    }

    static Set<String> everyDay() {
        Set<String> all = new TreeSet<>();
        for (DayOfWeek day : DayOfWeek.values()) {
            all.add(word(day));
        }
        return all;
    }

    private static String word(DayOfWeek day) {
        return day.getDisplayName(TextStyle.SHORT, Locale.ROOT).toUpperCase(Locale.ROOT);
    }

    private static List<String> dates(JsonNode list) {
        List<String> dates = new ArrayList<>();
        list.forEach(element -> {
            JsonNode date = element.path("date");
            dates.add(
                    date.isTextual()
                            ? date.textValue()
                            : date.path("from").textValue()
                                    + TO
                                    + date.path("to").textValue());
        });
        return dates;
    }

    /** What {@link #of} reads, and the product. */
    ObjectNode json() {
        ObjectNode node = JSON.createObjectNode();
        if (!zone.isEmpty()) {
            node.put("zone", zone);
        }
        if (!week.equals(everyDay())) {
            ArrayNode days = node.putArray("week");
            week.forEach(days::add);
        }
        write(closed, node.putArray("closed"));
        write(open, node.putArray("open"));
        return node;
    }

    private static void write(List<String> dates, ArrayNode list) {
        for (String date : dates) {
            int to = date.indexOf(TO);
            ObjectNode element = list.addObject();
            if (to < 0) {
                element.put("date", date);
            } else {
                element.putObject("date").put("from", date.substring(0, to)).put("to", date.substring(to + 2));
            }
        }
    }

    boolean isOpen(LocalDate date) {
        if (open.stream().anyMatch(text -> isIn(text, date))) {
            return true;
        }
        return closed.stream().noneMatch(text -> isIn(text, date)) && week.contains(word(date));
    }

    private static boolean isIn(String text, LocalDate date) {
        int to = text.indexOf(TO);
        if (to >= 0) {
            return !date.isBefore(LocalDate.parse(text.substring(0, to)))
                    && !date.isAfter(LocalDate.parse(text.substring(to + 2)));
        }
        return text.startsWith("--")
                ? date.toString().endsWith(text.substring(1))
                : date.toString().equals(text);
    }
}
