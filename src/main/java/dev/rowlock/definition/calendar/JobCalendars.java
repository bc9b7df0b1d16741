package dev.rowlock.definition.calendar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.rowlock.field.FieldType;
import dev.rowlock.field.Place;
import dev.rowlock.schedule.calendar.Calendar;
import dev.rowlock.schedule.calendar.CalendarRule;
import dev.rowlock.schedule.calendar.OnClosed;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Calendars of a job: their names, and the versions that its fire times are made by.
 *
 * @param pinned one for each name, in their order; empty: a person named them, and nobody looked them up yet
 */
public record JobCalendars(List<String> names, List<PinnedCalendar> pinned) {

    /** Member of a stored definition that has the version of each calendar; nobody is shown it. */
    public static final String VERSIONS = "calendarVersions";

    private static final int MOST = 10;
    private static final int MAX_NAME = 64;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1," + MAX_NAME + "}");
    /** Days before the end of a calendar from which jobs warn. */
    public static final int ENDS_SOON = 60;

    public JobCalendars {
        names = List.copyOf(names);
        pinned = List.copyOf(pinned);
    }

    /**
     * Calendar in the version that a job goes by.
     *
     * @param version its number, and a digest of what it says: an older state of a database that was restored may come
     *     to give the number again
     */
    public record PinnedCalendar(String version, Calendar calendar) {}

    /** Returns the type of the field: a name, or a list of them. */
    public static FieldType<JobCalendars> type() {
        FieldType<String> name = name();
        return new FieldType<JobCalendars>(
                        "the name of a calendar, or a list of up to " + MOST,
                        (value, place) -> {
                            if (!value.isArray()) {
                                String only = name.read(value, place);
                                return only == null ? null : new JobCalendars(List.of(only), List.of());
                            }
                            return list(value, name, place);
                        },
                        JobCalendars::json)
                .shown(Map.of(
                        "type",
                        List.of("string", "array"),
                        "minLength",
                        1,
                        "maxLength",
                        MAX_NAME,
                        "minItems",
                        1,
                        "maxItems",
                        MOST,
                        "items",
                        name.schema()));
    }

    private static FieldType<String> name() {
        return FieldType.text(4 * MAX_NAME)
                .checked(
                        "1 to " + MAX_NAME + " of `A-Z a-z 0-9 . _ -`",
                        name -> NAME.matcher(name).matches() ? null : "is not the name of a calendar")
                .shown(Map.of("type", "string", "minLength", 1, "maxLength", MAX_NAME, "pattern", "^[A-Za-z0-9._-]+$"));
    }

    private static @Nullable JobCalendars list(JsonNode value, FieldType<String> name, Place place) {
        if (value.isEmpty() || value.size() > MOST) {
            return place.refuse("must have 1 to " + MOST + " names, not " + value.size()
                    + (value.isEmpty() ? "; leave it out for none" : ""));
        }
        List<String> names = new ArrayList<>();
        int problems = place.problems().size();
        for (int i = 0; i < value.size(); i++) {
            String read = name.read(value.get(i), place.element(i));
            if (read != null && names.contains(read)) {
                place.element(i).refuse("is named twice; leave it out here");
            } else if (read != null) {
                names.add(read);
            }
        }
        return place.problems().size() == problems ? new JobCalendars(names, List.of()) : null;
    }

    private JsonNode json() {
        if (names.size() == 1) {
            return TextNode.valueOf(names.get(0));
        }
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        names.forEach(list::add);
        return list;
    }

    /** Returns the versions as they are stored. */
    public ObjectNode versions() {
        ObjectNode versions = JsonNodeFactory.instance.objectNode();
        pinned.forEach(each -> versions.put(each.calendar().name(), each.version()));
        return versions;
    }

    /** Returns the same names with the versions that are stored; empty if one of them is not to be found. */
    public Optional<JobCalendars> in(@Nullable JsonNode versions, CalendarSource source) {
        List<PinnedCalendar> found = new ArrayList<>();
        for (String name : names) {
            String version = versions == null ? "" : versions.path(name).asText();
            Optional<PinnedCalendar> calendar = version.isEmpty() ? Optional.empty() : source.find(name, version);
            if (calendar.isEmpty()) {
                return Optional.empty();
            }
            found.add(calendar.get());
        }
        return Optional.of(new JobCalendars(names, found));
    }

    /** Reads what is stored; empty if a calendar is not to be found in the version that the job goes by. */
    public static Optional<JobCalendars> read(JsonNode names, @Nullable JsonNode versions, CalendarSource source) {
        JobCalendars named = type().read(names, new Place("", new ArrayList<>()));
        return named == null ? Optional.empty() : named.in(versions, source);
    }

    /** Returns the same names with these versions. */
    public JobCalendars by(Map<String, PinnedCalendar> versions) {
        return new JobCalendars(
                names,
                names.stream()
                        .map(name -> Objects.requireNonNull(versions.get(name)))
                        .toList());
    }

    /** Returns the rule; by calendars that nobody looked up yet, every day is open. */
    public CalendarRule rule(OnClosed onClosed) {
        return pinned.isEmpty()
                ? ruleOfOpenDays(onClosed)
                : new CalendarRule(pinned.stream().map(PinnedCalendar::calendar).toList(), onClosed);
    }

    /** Returns the rule as if every day were open. */
    public CalendarRule ruleOfOpenDays(OnClosed onClosed) {
        return new CalendarRule(names.stream().map(JobCalendars::alwaysOpen).toList(), onClosed);
    }

    private static Calendar alwaysOpen(String name) {
        return new Calendar(name, EnumSet.allOf(DayOfWeek.class), List.of(), List.of(), null, null);
    }

    /** Returns a sentence for each calendar in which the local date of an instant is closed. */
    public List<String> closed(Instant t, ZoneId line) {
        List<String> sentences = new ArrayList<>();
        for (PinnedCalendar each : pinned) {
            Calendar calendar = each.calendar();
            LocalDate date = LocalDate.ofInstant(t, calendar.zone() == null ? line : calendar.zone());
            calendar.closedBy(date)
                    .ifPresent(why -> sentences.add(date + " is closed in " + calendar.name() + " (" + why + ")"));
        }
        return sentences;
    }

    /** Returns whether one of them says up to when its dates were made. */
    public boolean areKnownUntil() {
        return pinned.stream().anyMatch(each -> each.calendar().knownUntil() != null);
    }

    /** Returns a warning for each calendar whose dates were made for no longer than some days from now. */
    public List<String> ending(Instant now) {
        List<String> warnings = new ArrayList<>();
        for (PinnedCalendar each : pinned) {
            LocalDate last = each.calendar().knownUntil();
            if (last != null && !LocalDate.ofInstant(now, ZoneOffset.UTC).isBefore(last.minusDays(ENDS_SOON))) {
                warnings.add("calendar " + each.calendar().name() + " is known until " + last
                        + ": beyond that, only its weekdays are certain; add the dates that come after it");
            }
        }
        return warnings;
    }

    @Override
    public String toString() {
        return String.join(", ", names);
    }
}
