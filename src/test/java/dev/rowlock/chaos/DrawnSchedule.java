package dev.rowlock.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The fire times of a job as its JSON says them, and those of its calendars: each second is asked of each line. Nothing
 * of the product's evaluation is in it, so it understands only what is drawn.
 *
 * @param calendars by name, in the version that is asked about
 * @param onClosed what becomes of a fire time on a closed day
 * @param anchor what {@code @every} counts from
 */
record DrawnSchedule(List<Line> lines, Map<String, DrawnCalendar> calendars, String onClosed, Instant anchor) {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern EVERY = Pattern.compile("@every (\\d+)s");
    private static final Pattern CRON =
            Pattern.compile("(?:\\*|(\\d+)(?:/(\\d+))?) \\* \\* (?:\\*|(\\d+)(B?)) \\* \\*");

    /** No draw closes more days in a row. */
    private static final int CLOSED_DAYS = 40;

    /** One line, with the variables of what it fires. */
    record Line(String text, ZoneId zone, Map<String, String> env) {

        private static Line of(JsonNode json, ZoneId ofJob) {
            Map<String, String> env = new TreeMap<>();
            json.path("env")
                    .properties()
                    .forEach(each -> env.put(each.getKey(), each.getValue().asText()));
            return json.isTextual()
                    ? new Line(json.textValue(), ofJob, Map.of())
                    : new Line(
                            json.path("schedule").textValue(),
                            json.hasNonNull("zone")
                                    ? ZoneId.of(json.path("zone").textValue())
                                    : ofJob,
                            env);
        }
    }

    /**
     * As it is stored.
     *
     * @param created when the job was
     * @param calendars by name and version
     */
    static DrawnSchedule of(String definition, Instant created, BiFunction<String, String, DrawnCalendar> calendars) {
        JsonNode json = json(definition);
        if (json.hasNonNull("startAt") || json.hasNonNull("endAt")) {
            throw new IllegalStateException("not understood by the checks: " + definition);
        }
        ZoneId zone = ZoneId.of(json.path("zone").asText("UTC"));
        List<Line> lines = new ArrayList<>();
        JsonNode written = json.path("schedule");
        if (written.isArray()) {
            written.forEach(each -> lines.add(Line.of(each, zone)));
        } else {
            lines.add(Line.of(written, zone));
        }
        Map<String, DrawnCalendar> named = new TreeMap<>();
        JsonNode names = json.path("calendar");
        (names.isArray() ? names : JSON.createArrayNode().add(names)).forEach(each -> {
            if (each.isTextual()) {
                String version =
                        json.path("calendarVersions").path(each.textValue()).asText();
                named.put(each.textValue(), calendars.apply(each.textValue(), version));
            }
        });
        return new DrawnSchedule(lines, named, json.path("onClosed").asText("SKIP"), created);
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            throw new IllegalStateException("not JSON: " + text, e);
        }
    }

    /** The same job by other calendars. */
    DrawnSchedule by(Map<String, DrawnCalendar> others) {
        return new DrawnSchedule(lines, others, onClosed, anchor);
    }

    /** All after the one instant, up to the other. */
    List<Instant> between(Instant after, Instant until) {
        List<Instant> all = new ArrayList<>();
        for (long second = after.getEpochSecond() + 1; second <= until.getEpochSecond(); second++) {
            Instant t = Instant.ofEpochSecond(second);
            if (matches(t)) {
                all.add(t);
            }
        }
        return all;
    }

    boolean matches(Instant t) {
        return lineAt(t).isPresent();
    }

    /** The first line that asks for it. */
    Optional<Line> lineAt(Instant t) {
        return t.equals(t.truncatedTo(ChronoUnit.SECONDS))
                ? lines.stream().filter(line -> asks(line, t)).findFirst()
                : Optional.empty();
    }

    private boolean asks(Line line, Instant t) {
        if (line.text.equals("@manual")) {
            return false;
        }
        Matcher every = EVERY.matcher(line.text);
        if (every.matches()) {
            long elapsed = t.getEpochSecond() - anchor.getEpochSecond();
            LocalDateTime local = LocalDateTime.ofInstant(t, line.zone);
            return elapsed >= 0
                    && elapsed % Long.parseLong(every.group(1)) == 0
                    && (ignoresClosed() || isOpen(local.toLocalDate(), local.toLocalTime(), line.zone));
        }
        Matcher cron = CRON.matcher(line.text);
        if (!cron.matches()) {
            throw new IllegalStateException("not understood by the checks: " + line);
        }
        return isSecond(cron, (int) Math.floorMod(t.getEpochSecond(), 60L)) && isDay(line, cron, t);
    }

    private static boolean isSecond(Matcher cron, int second) {
        if (cron.group(1) == null) {
            return true;
        }
        int first = Integer.parseInt(cron.group(1));
        return cron.group(2) == null
                ? second == first
                : second >= first && (second - first) % Integer.parseInt(cron.group(2)) == 0;
    }

    /** Whether it is such a day that is open, or what a closed one next to it gives away. */
    private boolean isDay(Line line, Matcher cron, Instant t) {
        LocalDateTime local = LocalDateTime.ofInstant(t, line.zone);
        LocalDate date = local.toLocalDate();
        LocalTime time = local.toLocalTime();
        if (ignoresClosed()) {
            return isNamed(cron, date);
        }
        if (!isOpen(date, time, line.zone)) {
            return false;
        }
        if (isNamed(cron, date)) {
            return true;
        }
        int step = onClosed.equals("NEXT") ? -1 : onClosed.equals("PREVIOUS") ? 1 : 0;
        for (int i = 1; step != 0 && i < CLOSED_DAYS; i++) {
            LocalDate other = date.plusDays((long) i * step);
            if (isOpen(other, time, line.zone)) {
                return false;
            }
            if (isNamed(cron, other)) {
                return true;
            }
        }
        return false;
    }

    private boolean isNamed(Matcher cron, LocalDate date) {
        if (cron.group(3) == null) {
            return true;
        }
        int number = Integer.parseInt(cron.group(3));
        if (cron.group(4).isEmpty()) {
            return date.getDayOfMonth() == number;
        }
        long open = date.withDayOfMonth(1).datesUntil(date).filter(this::isOpen).count();
        return isOpen(date) && open + 1 == number;
    }

    private boolean ignoresClosed() {
        return calendars.isEmpty() || onClosed.equals("RUN");
    }

    private boolean isOpen(LocalDate date) {
        return calendars.values().stream().allMatch(calendar -> calendar.isOpen(date));
    }

    private boolean isOpen(LocalDate date, LocalTime time, ZoneId zone) {
        Instant t = LocalDateTime.of(date, time).atZone(zone).toInstant();
        return calendars.values().stream()
                .allMatch(calendar -> calendar.isOpen(
                        LocalDate.ofInstant(t, calendar.zone().isEmpty() ? zone : ZoneId.of(calendar.zone()))));
    }
}
