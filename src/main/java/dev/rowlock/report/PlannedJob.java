package dev.rowlock.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingJsonFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.rowlock.definition.Overlap;
import dev.rowlock.definition.ScheduleLines;
import dev.rowlock.definition.calendar.CalendarSource;
import dev.rowlock.definition.calendar.JobCalendars;
import dev.rowlock.schedule.DaylightSaving;
import dev.rowlock.schedule.Durations;
import dev.rowlock.schedule.Zones;
import dev.rowlock.schedule.calendar.CalendarRule;
import dev.rowlock.schedule.calendar.OnClosed;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Part of a stored definition that says when and where the job runs, read without the rest: a hundred thousand of them
 * in a fraction of a second.
 *
 * @param nodes the label selector; empty: any node
 */
public record PlannedJob(
        ScheduleLines schedule,
        ZoneId zone,
        DaylightSaving daylightSaving,
        @Nullable CalendarRule calendars,
        Overlap overlap,
        @Nullable Instant startAt,
        @Nullable Instant endAt,
        @Nullable Integer maxRuns,
        Duration jitter,
        String nodes,
        boolean broadcast) {

    private static final JsonFactory JSON = new MappingJsonFactory();
    private static final Map<String, ZoneId> ZONES = new ConcurrentHashMap<>();

    /** Reads a definition; empty if this version does not understand it. */
    public static Optional<PlannedJob> read(String definition, CalendarSource calendars) {
        try (JsonParser parser = JSON.createParser(definition)) {
            Reading reading = new Reading();
            parser.nextToken();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String field = parser.currentName();
                JsonToken value = parser.nextToken();
                if (value == JsonToken.START_ARRAY && field.equals("schedule")) {
                    reading.schedule = ScheduleLines.read(parser.readValueAsTree());
                } else if (field.equals("calendar") && value != JsonToken.VALUE_NULL) {
                    reading.calendar = parser.readValueAsTree();
                } else if (field.equals("calendarVersions") && value != JsonToken.VALUE_NULL) {
                    reading.calendarVersions = parser.readValueAsTree();
                } else if (value.isStructStart()) {
                    parser.skipChildren();
                } else if (value != JsonToken.VALUE_NULL) {
                    reading.take(field, parser);
                }
            }
            return reading.schedule.lines().isEmpty() ? Optional.empty() : reading.done(calendars);
        } catch (IOException | DateTimeException | IllegalArgumentException e) {
            return Optional.empty(); // whoever fires it says what is wrong
        }
    }

    private static final class Reading {
        private ScheduleLines schedule = ScheduleLines.NONE;
        private ZoneId zone = ZoneId.of("UTC");
        private DaylightSaving daylightSaving = DaylightSaving.SHIFT;
        private JsonNode calendar = NullNode.getInstance();
        private @Nullable JsonNode calendarVersions;
        private OnClosed onClosed = OnClosed.SKIP;
        private Overlap overlap = Overlap.SKIP;
        private @Nullable Instant startAt;
        private @Nullable Instant endAt;
        private @Nullable Integer maxRuns;
        private Duration jitter = Duration.ZERO;
        private String nodes = "";
        private boolean broadcast;

        void take(String field, JsonParser parser) throws IOException {
            switch (field) {
                case "schedule" -> schedule = lines(parser.getText().strip());
                case "zone" -> zone = ZONES.computeIfAbsent(parser.getText(), Zones::of);
                case "daylightSaving" -> daylightSaving = DaylightSaving.valueOf(parser.getText());
                case "onClosed" -> onClosed = OnClosed.valueOf(parser.getText());
                case "overlap" -> overlap = Overlap.valueOf(parser.getText());
                case "startAt" ->
                    startAt = OffsetDateTime.parse(parser.getText()).toInstant();
                case "endAt" -> endAt = OffsetDateTime.parse(parser.getText()).toInstant();
                case "maxRuns" -> maxRuns = parser.getIntValue();
                case "jitter" -> jitter = Durations.parse(parser.getText()).orElseThrow(IllegalArgumentException::new);
                case "nodes" -> nodes = parser.getText();
                case "broadcast" -> broadcast = parser.getBooleanValue();
                default -> {
                    // says nothing about when or where
                }
            }
        }

        private static ScheduleLines lines(String text) {
            return text.isEmpty() ? ScheduleLines.NONE : ScheduleLines.of(text);
        }

        Optional<PlannedJob> done(CalendarSource source) {
            return calendar.isNull()
                    ? Optional.of(done((CalendarRule) null))
                    : JobCalendars.read(calendar, calendarVersions, source)
                            .map(calendars -> done(calendars.rule(onClosed)));
        }

        private PlannedJob done(@Nullable CalendarRule rule) {
            return new PlannedJob(
                    schedule, zone, daylightSaving, rule, overlap, startAt, endAt, maxRuns, jitter, nodes, broadcast);
        }
    }
}
