package dev.rowlock.definition.calendar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.rowlock.field.Field;
import dev.rowlock.field.FieldTable;
import dev.rowlock.field.FieldType;
import dev.rowlock.field.InvalidDefinition;
import dev.rowlock.field.Place;
import dev.rowlock.field.Suggestion;
import dev.rowlock.schedule.Zones;
import dev.rowlock.schedule.calendar.Calendar;
import dev.rowlock.schedule.calendar.CalendarDate;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Definition of a calendar, as a person wrote it.
 *
 * @param zone in which its dates are meant; null: in that of the schedule
 * @param week the open weekdays
 * @param closed what of them is closed all the same
 * @param open what is open in spite of both
 * @param knownUntil the last day that its dates were made for
 */
public record CalendarDefinition(
        String description,
        @Nullable String zone,
        Set<DayOfWeek> week,
        List<CalendarDate> closed,
        List<CalendarDate> open,
        @Nullable LocalDate knownUntil) {

    /** Most dates of a calendar, closed and open ones together. */
    public static final int MOST_DATES = 10_000;

    private static final String DATES = "dates such as `{\"date\": \"2026-12-25\", \"name\": \"Christmas\"}`";
    private static final List<DayOfWeek> DAYS = List.of(DayOfWeek.values());

    public static final FieldTable<CalendarDefinition> TABLE = new FieldTable<>(
            "a calendar",
            CalendarDefinition.class,
            List.of(
                    Field.optional("description", FieldType.text(500), "", "a note for people"),
                    Field.optional(
                            "zone",
                            FieldType.zone(),
                            null,
                            "where its dates are meant; `null`: where the" + " schedule's times are"),
                    Field.optional("week", weekdays(), EnumSet.allOf(DayOfWeek.class), "the open weekdays"),
                    Field.optional("closed", dates(), List.of(), "which of them are closed all the same"),
                    Field.optional("open", dates(), List.of(), "what is open in spite of both"),
                    Field.optional("knownUntil", day(), null, "the last day that its dates were made for")),
            List.of("name", "version", "jobs", "createdAt", "updatedAt"));

    public CalendarDefinition {
        week = Collections.unmodifiableSet(week.isEmpty() ? EnumSet.noneOf(DayOfWeek.class) : EnumSet.copyOf(week));
        closed = List.copyOf(closed);
        open = List.copyOf(open);
    }

    private static FieldType<Set<DayOfWeek>> weekdays() {
        List<String> words = DAYS.stream().map(CalendarDefinition::word).toList();
        String such = "a list of `MON` … `SUN`";
        return new FieldType<Set<DayOfWeek>>(
                        such,
                        (value, place) -> {
                            if (!value.isArray()) {
                                return place.refuse(
                                        "must be a list such as [\"MON\", \"TUE\"], not " + Place.kind(value));
                            }
                            Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
                            for (int i = 0; i < value.size(); i++) {
                                String text = value.get(i).asText();
                                int day = words.indexOf(text);
                                if (day < 0) {
                                    place.element(i)
                                            .refuse("'" + text + "' is not one of " + String.join(", ", words)
                                                    + Suggestion.of(text, words));
                                } else {
                                    days.add(DAYS.get(day));
                                }
                            }
                            return days;
                        },
                        days -> {
                            ArrayNode list = JsonNodeFactory.instance.arrayNode();
                            DAYS.stream().filter(days::contains).forEach(day -> list.add(word(day)));
                            return list;
                        })
                .shown(Map.of("type", "array", "items", Map.of("type", "string", "enum", words)));
    }

    private static String word(DayOfWeek day) {
        return day.name().substring(0, 3);
    }

    private static FieldType<LocalDate> day() {
        return FieldType.written(
                "a date such as `2026-12-31`",
                "2026-12-31",
                (text, place) -> read(place, () -> CalendarDate.day(text)),
                LocalDate::toString);
    }

    private static <T> @Nullable T read(Place place, Supplier<T> reader) {
        try {
            return reader.get();
        } catch (DateTimeException e) {
            return place.refuse(String.valueOf(e.getMessage()));
        }
    }

    private static FieldType<List<CalendarDate>> dates() {
        return new FieldType<List<CalendarDate>>(
                        "a list of " + DATES,
                        (value, place) -> {
                            if (!value.isArray()) {
                                return place.refuse(
                                        "must be a list of " + DATES.replace("`", "") + ", not " + Place.kind(value));
                            }
                            if (value.size() > MOST_DATES) {
                                return place.refuse("must have at most " + MOST_DATES + " dates, not " + value.size());
                            }
                            List<CalendarDate> dates = new ArrayList<>();
                            for (int i = 0; i < value.size(); i++) {
                                CalendarDate date = date(value.get(i), place.element(i));
                                if (date != null) {
                                    dates.add(date);
                                }
                            }
                            return dates;
                        },
                        dates -> {
                            ArrayNode list = JsonNodeFactory.instance.arrayNode();
                            dates.forEach(date -> list.add(json(date)));
                            return list;
                        })
                .shown(Map.of("type", "array", "maxItems", MOST_DATES, "items", Map.of("type", "object")));
    }

    private static @Nullable CalendarDate date(JsonNode value, Place place) {
        if (!(value instanceof ObjectNode object)) {
            return place.refuse("must be an object such as {\"date\": \"2026-12-25\"}, not " + Place.kind(value));
        }
        refuseOthers(object, place, "date", "name");
        JsonNode name = object.path("name");
        String called = name.isMissingNode() || name.isNull() ? "" : FieldType.text(name, 200, place.field("name"));
        JsonNode date = object.path("date");
        Place at = place.field("date");
        if (called == null) {
            return null;
        }
        if (date instanceof ObjectNode range) {
            refuseOthers(range, at, "from", "to");
            String from = end(range, "from", at);
            String to = end(range, "to", at);
            return from == null || to == null ? null : read(at, () -> CalendarDate.between(from, to, called));
        }
        if (date.isMissingNode() || date.isNull()) {
            return at.refuse("is required: 2026-12-25, --12-25 for every year, or {\"from\": …, \"to\": …}");
        }
        String text = FieldType.text(date, 100, at);
        return text == null ? null : read(at, () -> CalendarDate.parse(text, called));
    }

    private static @Nullable String end(ObjectNode range, String field, Place place) {
        JsonNode value = range.path(field);
        return value.isMissingNode()
                ? place.field(field).refuse("is required: " + (field.equals("from") ? "the first day" : "the last day"))
                : FieldType.text(value, 100, place.field(field));
    }

    private static void refuseOthers(ObjectNode object, Place place, String... known) {
        object.fieldNames().forEachRemaining(name -> {
            if (!Arrays.asList(known).contains(name)) {
                place.field(name).refuse("is not a field of a date; there are " + String.join(", ", known));
            }
        });
    }

    private static ObjectNode json(CalendarDate date) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        if (date.isText()) {
            node.set("date", TextNode.valueOf(date.text()));
        } else {
            node.putObject("date")
                    .put("from", date.from().toString())
                    .put("to", date.to().toString());
        }
        if (!date.name().isEmpty()) {
            node.put("name", date.name());
        }
        return node;
    }

    /** Returns the JSON that {@link #parse} reads. */
    public ObjectNode json() {
        return TABLE.write(this);
    }

    /** @throws InvalidDefinition with everything that is wrong */
    public static CalendarDefinition parse(ObjectNode sent) {
        Place whole = new Place("", new ArrayList<>());
        CalendarDefinition read = read(sent, whole);
        InvalidDefinition.throwIfAny(whole.problems());
        return read;
    }

    /** Reads what somebody sent; collects what is wrong with it. */
    public static CalendarDefinition read(ObjectNode sent, Place place) {
        TABLE.refuseUnknown(sent, Set.of(), place);
        CalendarDefinition read = TABLE.read(sent, place);
        if (read.closed.size() + read.open.size() > MOST_DATES) {
            place.refuse("has more than " + MOST_DATES + " dates in closed and open together; leave out past ones");
        }
        return read;
    }

    /** Reads what is stored. */
    public static CalendarDefinition read(ObjectNode stored) {
        return TABLE.read(stored, new Place("", new ArrayList<>()));
    }

    public Calendar calendar(String name) {
        return new Calendar(name, week, closed, open, zone == null ? null : Zones.of(zone), knownUntil);
    }
}
