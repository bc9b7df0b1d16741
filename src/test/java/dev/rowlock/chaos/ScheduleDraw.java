package dev.rowlock.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Schedules of several lines, calendars, and commands that decline: drawn for a job apart from its other policies. */
final class ScheduleDraw {

    /** The variable by which a command tells which line has fired it. */
    static final String LINE = "CHAOS_LINE";

    /** The variable by which a command is told to decline at times. */
    static final String DECLINES = "CHAOS_DECLINES";

    static final int DECLINED = 75;

    /** Each month has so many open days, whatever is drawn: a job without a fire time is refused. */
    private static final int MOST_OPEN = 23;

    private static final List<String> ZONES = List.of("Asia/Kolkata", "Asia/Tokyo", CalendarDraw.MIDNIGHT.getId());
    private static final String ANY_DAY = " * * * * *";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Random random;
    private final Set<Policy> policies;

    ScheduleDraw(Random random, Set<Policy> policies) {
        this.random = random;
        this.policies = policies;
    }

    /** Changes what is drawn so far. */
    void addTo(ObjectNode definition, Command command) {
        if (policies.contains(Policy.LINES) && command != Command.MANUAL && in(3)) {
            definition.set("schedule", lines(command, true));
        }
        if (policies.contains(Policy.CALENDARS) && command != Command.MANUAL && in(3)) {
            calendar(definition);
        }
        if (policies.contains(Policy.FINISH_BY) && command != Command.MANUAL && in(3)) {
            definition.put("finishBy", in(3) ? soon() : 2 + random.nextInt(6) + "s");
        }
        if (policies.contains(Policy.DECLINED) && in(4)) {
            definition.putArray("skipExitCodes").add(DECLINED);
            definition.withObject("/env").put(DECLINES, "yes");
        }
    }

    /**
     * Two to four, some of which ask for the same instants.
     *
     * @param every whether {@code @every} may be among them
     */
    ArrayNode lines(Command command, boolean every) {
        ArrayNode lines = JSON.createArrayNode();
        Set<String> seen = new HashSet<>();
        int count = 2 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            Command like = i == 0
                    ? command
                    : every && in(3) ? Command.EVERY : command == Command.SECOND ? Command.ONCE : command;
            String text = like.schedule(random);
            String zone = text.startsWith("@") || random.nextBoolean() ? "" : ZONES.get(random.nextInt(ZONES.size()));
            if (!seen.add(zone + text)) {
                continue; // what has the same fire times by its text is refused
            }
            if (i == 0) {
                lines.add(text);
                continue;
            }
            ObjectNode line = lines.addObject().put("schedule", text);
            if (!zone.isEmpty()) {
                line.put("zone", zone);
            }
            line.putObject("env").put(LINE, Integer.toString(i));
        }
        return lines;
    }

    private void calendar(ObjectNode definition) {
        int which = random.nextInt(3);
        if (which < 2) {
            definition.put("calendar", CalendarDraw.NAMES.get(which));
        } else {
            CalendarDraw.NAMES.forEach(definition.putArray("calendar")::add);
        }
        if (definition.path("schedule").toString().contains("@every")) {
            definition.put("onClosed", in(3) ? "RUN" : "SKIP");
            return;
        }
        String onClosed = List.of("SKIP", "NEXT", "PREVIOUS", "RUN").get(random.nextInt(4));
        definition.put("onClosed", onClosed);
        if (onClosed.equals("RUN") && which != 0) {
            return; // which open day of a month it is, is asked of calendars without a zone
        }
        if (definition.path("schedule").isTextual() && !onClosed.equals("SKIP") && !in(3)) {
            ZoneId zone = random.nextBoolean() ? ZoneOffset.UTC : CalendarDraw.MIDNIGHT;
            definition.put("schedule", onDay(definition.path("schedule"), onClosed, zone));
            definition.put("zone", zone.getId().replace("Z", "UTC"));
        }
    }

    /** A time of day that comes within the run, wherever hours are whole. */
    private String soon() {
        return LocalTime.now(ZoneOffset.UTC)
                .truncatedTo(ChronoUnit.MINUTES)
                .plusMinutes(2 + random.nextInt(3))
                .toString();
    }

    /** On a single day near today, so that a closed one makes a difference. */
    private String onDay(JsonNode text, String onClosed, ZoneId zone) {
        LocalDate day = LocalDate.ofInstant(Instant.now(), zone);
        LocalDate near = switch (onClosed) {
            case "NEXT" -> day.minusDays(1);
            case "PREVIOUS" -> day.plusDays(1);
            default -> day.minusDays(random.nextInt(3));
        };
        String number = onClosed.equals("RUN")
                ? Math.min(MOST_OPEN, near.getDayOfMonth()) + "B"
                : Integer.toString(near.getDayOfMonth());
        return text.textValue().replace(ANY_DAY, " * * " + number + " * *");
    }

    private boolean in(int times) {
        return random.nextInt(times) == 0;
    }
}
