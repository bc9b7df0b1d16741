package dev.rowlock.cli.call;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.cli.output.Cell;
import dev.rowlock.cli.output.Column;
import dev.rowlock.cli.output.Moments;
import dev.rowlock.cli.output.Tone;
import dev.rowlock.cli.output.View;
import java.util.StringJoiner;

/** Views of jobs. */
public final class JobViews {

    public static final View JOBS = new View(
            JobViews::name,
            Column.text("NAMESPACE", "namespace"),
            Column.text("NAME", "name"),
            Column.of("SCHEDULE", job -> Cell.of(schedule(job.path("schedule")))),
            Column.text("ZONE", "zone").whenWide(),
            new Column("NEXT", false, false, JobViews::next),
            Column.distance("LEFT", "nextFireTime"),
            Column.time("LAST", "lastTask.startedAt"),
            Column.distance("PASSED", "lastTask.startedAt").whenWide(),
            Column.millis("TOOK", "lastTask.durationMs").whenWide(),
            Column.of("RESULT", JobViews::result),
            Column.of("STREAK", JobViews::streak),
            Column.text("STATE", "state").whenWide(),
            Column.text("NODE", "lastTask.node").whenWide(),
            Column.text("LABELS", "labels").whenWide(),
            Column.number("VERSION", "version").whenWide());

    private JobViews() {}

    /** Returns the name as commands take it. */
    public static String name(JsonNode job) {
        return job.path("namespace").asText() + "/" + job.path("name").asText();
    }

    /** Returns a schedule on one line; the lines of a list stand beside each other. */
    public static String schedule(JsonNode schedule) {
        if (!schedule.isArray()) {
            return Cell.of(schedule).text();
        }
        StringJoiner lines = new StringJoiner(" | ");
        schedule.forEach(
                line -> lines.add(line.isObject() ? line(line) : Cell.of(line).text()));
        return lines.toString();
    }

    private static String line(JsonNode line) {
        String zone = Cell.of(line.path("zone")).text();
        return Cell.of(line.path("schedule")).text() + (line.hasNonNull("zone") ? " (" + zone + ")" : "");
    }

    private static Cell next(JsonNode job, Moments moments) {
        if (job.path("paused").asBoolean()) {
            return new Cell("paused", Tone.WARNING);
        }
        if (job.path("hold").path("kind").asText().equals("NODE")) {
            return new Cell(waits(job), Tone.WARNING);
        }
        if (job.path("hold").path("kind").asText().equals("FREEZE")) {
            return new Cell("frozen", Tone.WARNING);
        }
        if (job.path("hold").isObject()) {
            return new Cell("held", Tone.BAD);
        }
        return Column.moment(job.path("nextFireTime"), moments::absolute);
    }

    private static String waits(JsonNode job) {
        String nodes = job.path("nodes").asText("");
        return nodes.isEmpty() ? "waits for a node" : "waits for a node that matches " + nodes;
    }

    private static Cell result(JsonNode job) {
        JsonNode last = job.path("lastTask");
        return last.path("outcome").isTextual()
                ? Column.outcome(last.path("outcome"))
                : last.path("state").asText().equals("EXECUTING") ? new Cell("executing", Tone.STRONG) : Cell.NONE;
    }

    private static Cell streak(JsonNode job) {
        JsonNode streak = job.path("streak");
        if (!streak.path("count").isNumber()) {
            return Cell.NONE;
        }
        boolean good = streak.path("result").asText().equals("SUCCEEDED");
        return new Cell(streak.path("count").asText() + (good ? " good" : " bad"), good ? Tone.GOOD : Tone.BAD);
    }
}
