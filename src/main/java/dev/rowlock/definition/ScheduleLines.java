package dev.rowlock.definition;

import static dev.rowlock.field.Field.optional;
import static dev.rowlock.field.Field.required;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.rowlock.field.FieldTable;
import dev.rowlock.field.FieldType;
import dev.rowlock.field.Place;
import dev.rowlock.schedule.DaylightSaving;
import dev.rowlock.schedule.Schedule;
import dev.rowlock.schedule.ScheduleProblem;
import dev.rowlock.schedule.Zones;
import dev.rowlock.schedule.calendar.CalendarRule;
import dev.rowlock.schedule.calendar.OnClosed;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Schedule of a job as a person wrote it: one text, or a list of lines, whose fire times it has all.
 *
 * @param lines none: nothing acceptable was written
 * @param written as it is given back
 */
public record ScheduleLines(List<ScheduleLine> lines, JsonNode written) {

    public static final ScheduleLines NONE = new ScheduleLines(List.of(), MissingNode.getInstance());

    private static final int MOST = 20;
    private static final Pattern ZONE_IN_TEXT = Pattern.compile("(?:CRON_)?TZ=(\\S+)");

    public ScheduleLines {
        lines = List.copyOf(lines);
    }

    /**
     * Line of a schedule.
     *
     * @param schedule as it was written
     * @param zone null: the job's
     * @param env variables of the commands that it fires; they win over the job's
     */
    public record ScheduleLine(String schedule, @Nullable String zone, Map<String, String> env) {

        static final FieldTable<ScheduleLine> TABLE = new FieldTable<>(
                "a line of a schedule",
                ScheduleLine.class,
                List.of(
                        required("schedule", text(), "", "what a schedule alone may be, but not @manual"),
                        optional(
                                "zone",
                                FieldType.zone(),
                                null,
                                "where its times of day are meant; `null`: as the job says"),
                        optional(
                                "env",
                                JobFieldTypes.map("texts", 32 * 1024, Names::variableProblem),
                                Map.of(),
                                "variables of what it fires; they win over those of the job")),
                List.of());

        public ScheduleLine {
            env = Map.copyOf(env);
        }

        /** Makes the schedule of this line alone: every line of every job becomes one here. */
        private Schedule make(ZoneId ofJob, DaylightSaving rule, Instant anchor, @Nullable CalendarRule calendars) {
            return zone == null
                    ? Schedule.parse(schedule, ofJob, rule, anchor, calendars)
                    : Schedule.parse("TZ=" + zone + " " + schedule, Zones.of(zone), rule, anchor, calendars);
        }

        private static ScheduleLine of(String schedule) {
            return new ScheduleLine(schedule, null, Map.of());
        }

        private JsonNode json() {
            ObjectNode node = TABLE.write(this);
            if (zone == null) {
                node.remove("zone");
            }
            if (env.isEmpty()) {
                node.remove("env");
            }
            return node;
        }
    }

    /** Returns a schedule of a single text. */
    public static ScheduleLines of(String text) {
        return new ScheduleLines(List.of(ScheduleLine.of(text)), TextNode.valueOf(text));
    }

    /** Reads what is stored; {@link #NONE} if it is not understood. */
    public static ScheduleLines read(JsonNode stored) {
        ScheduleLines read = type().read(stored, new Place("", new ArrayList<>()));
        return read == null ? NONE : read;
    }

    /** Returns the type of the field. */
    static FieldType<ScheduleLines> type() {
        FieldType<String> text = text();
        FieldType<ScheduleLine> object = FieldType.object("an object", ScheduleLine.TABLE);
        return new FieldType<>(
                        "a text, or a list of 1 to " + MOST + " texts and objects",
                        (value, place) -> {
                            if (value.isArray()) {
                                return list(value, text, object, place);
                            }
                            if (value.isObject()) {
                                return place.refuse("must be a string, or a list of strings and objects;"
                                        + " put this object into a list");
                            }
                            String only = text.read(value, place);
                            return only == null ? null : of(only);
                        },
                        ScheduleLines::written)
                .shown(Map.of(
                        "type",
                        List.of("string", "array"),
                        "maxLength",
                        1024,
                        "minItems",
                        1,
                        "maxItems",
                        MOST,
                        "items",
                        Map.of("type", List.of("string", "object"), "maxLength", 1024, "whole", ScheduleLine.TABLE)));
    }

    private static FieldType<String> text() {
        return FieldType.text(1024).meant(String::strip).meant(text -> text.isBlank() ? null : text);
    }

    private static @Nullable ScheduleLines list(
            JsonNode value, FieldType<String> text, FieldType<ScheduleLine> object, Place place) {
        if (value.isEmpty() || value.size() > MOST) {
            return place.refuse("must have 1 to " + MOST + " lines, not " + value.size());
        }
        int problems = place.problems().size();
        List<ScheduleLine> lines = new ArrayList<>();
        ArrayNode written = JsonNodeFactory.instance.arrayNode();
        for (int i = 0; i < value.size(); i++) {
            JsonNode element = value.get(i);
            Place at = place.element(i);
            if (element.isObject()) {
                ScheduleLine line = object.read(element, at);
                if (line != null) {
                    lines.add(line);
                    written.add(line.json());
                }
            } else if (!element.isTextual()) {
                at.refuse("must be a string or an object, not " + Place.kind(element));
            } else {
                String line = text.read(element, at);
                if (line != null) {
                    lines.add(ScheduleLine.of(line));
                    written.add(line);
                } else if (element.textValue().isBlank()) {
                    at.refuse("must not be blank; leave it out");
                }
            }
        }
        return place.problems().size() == problems ? new ScheduleLines(lines, written) : null;
    }

    /**
     * Returns the schedule that has the fire times of all lines.
     *
     * @param zone of the job
     * @param anchor where {@code @every} counts from
     * @param calendars null: the job has none
     * @throws ScheduleProblem if a line is none
     */
    public Schedule make(ZoneId zone, DaylightSaving rule, Instant anchor, @Nullable CalendarRule calendars) {
        List<Schedule> made = new ArrayList<>();
        lines.forEach(line -> made.add(line.make(zone, rule, anchor, calendars)));
        return Schedule.union(made, zone);
    }

    /** Checks what is more than texts: each line has to parse, and to go with the others. */
    void check(ZoneId zone, DaylightSaving rule, Instant anchor, @Nullable CalendarRule calendars, Place place) {
        Map<String, Integer> earlier = new HashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            ScheduleLine line = lines.get(i);
            Place at = isList() ? place.element(i) : place;
            if (line.zone != null && Schedule.namesZone(line.schedule)) {
                at.field("zone")
                        .refuse("the schedule beside it names a zone, too, in its prefix; leave out one of both");
                continue;
            }
            try {
                Schedule made = line.make(zone, rule, anchor, calendars);
                Integer same = isList() ? earlier.putIfAbsent(sameness(made, calendars), i) : null;
                if (isList() && made.isManual()) {
                    at.refuse("@manual stands alone; write it as a text instead of this list, or leave this line out");
                } else if (same != null) {
                    at.refuse("has the same fire times as line " + (same + 1) + ", which comes first; leave out one"
                            + " of both");
                }
            } catch (ScheduleProblem e) {
                (written.path(i).isObject() ? at.field("schedule") : at).refuse(String.valueOf(e.getMessage()));
            }
        }
    }

    /** Returns a text that lines of the same fire times share, whether a prefix or a field names the zone. */
    private static String sameness(Schedule line, @Nullable CalendarRule calendars) {
        String text = line.normalized();
        boolean hasDates = calendars != null && calendars.onClosed() != OnClosed.RUN;
        boolean isEverywhere = text.startsWith("@") && !hasDates;
        return isEverywhere ? text : line.zone() + " " + text.replaceFirst("^TZ=[^ ]* ", "");
    }

    /** Returns whether it was written as a list. */
    public boolean isList() {
        return written.isArray();
    }

    /** Returns whether the job runs only when asked for. */
    public boolean isManual() {
        return lines.size() == 1 && lines.get(0).schedule.endsWith("@manual");
    }

    /** Returns the zones that lines name, in a field of their own or in a prefix. */
    public Set<String> zones() {
        Set<String> zones = new LinkedHashSet<>();
        for (ScheduleLine line : lines) {
            Matcher prefix = ZONE_IN_TEXT.matcher(line.schedule);
            if (line.zone != null) {
                zones.add(line.zone);
            } else if (prefix.lookingAt()) {
                zones.add(prefix.group(1));
            }
        }
        return zones;
    }

    /** Returns the variables that any line sets. */
    Set<String> variables() {
        return lines.stream().flatMap(line -> line.env.keySet().stream()).collect(Collectors.toSet());
    }

    /** Returns whether both say the same of fire times; which variables they set is another matter. */
    boolean saysWhenLike(ScheduleLines other) {
        return when().equals(other.when());
    }

    private Set<ScheduleLine> when() {
        Set<ScheduleLine> when = new HashSet<>();
        lines.forEach(line -> when.add(new ScheduleLine(line.schedule, line.zone, Map.of())));
        return when;
    }

    /** Returns all lines for people, within a sentence. */
    @Override
    public String toString() {
        return lines.stream()
                .map(line -> line.schedule + (line.zone == null ? "" : " (" + line.zone + ")"))
                .collect(Collectors.joining(" and "));
    }
}
