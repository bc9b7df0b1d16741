package dev.rowlock.cli.job;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.call.CommandFailed;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cli.call.Remote;
import dev.rowlock.cli.call.Routes;
import dev.rowlock.cli.call.When;
import dev.rowlock.cli.output.Trees;
import dev.rowlock.field.InvalidDefinition;
import dev.rowlock.field.Times;
import dev.rowlock.schedule.DaylightSaving;
import dev.rowlock.schedule.Schedule;
import dev.rowlock.schedule.ScheduleProblem;
import dev.rowlock.schedule.preview.LocalFireTime;
import dev.rowlock.schedule.preview.PreviewRequest;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rowlock schedule}: asks nobody. */
@Command(
        description = {
            "Says what a schedule means and when it fires next. Needs no node.",
            "What is shown is what a node of this version would do; @every counts from now, or from --from."
        },
        footer = "rowlock schedule '0 3 * * 1-5' --zone Europe/Berlin --count 3")
@Routes({})
public final class ScheduleCommand extends Remote {

    @Parameters(
            index = "0..*",
            arity = "1..*",
            paramLabel = "EXPRESSION",
            description = "The schedule, in quotes; of several, the fire times of all.")
    private List<String> expressions = List.of();

    @Option(names = "--zone", paramLabel = "ZONE", description = "Where it is meant; default: UTC.")
    private ZoneId zone = ZoneId.of("UTC");

    @Option(names = "--daylight-saving", paramLabel = "RULE", description = "SHIFT (default) or PLAIN.")
    private DaylightSaving daylightSaving = DaylightSaving.SHIFT;

    @Option(names = "--count", paramLabel = "N", description = "How many fire times; default: 10.")
    private int count = 10;

    @Option(names = "--from", paramLabel = "WHEN", description = "After this time instead of now.")
    private @Nullable When from;

    @Override
    protected int run() {
        Instant now = around().clock().instant();
        Instant start = from == null ? now : from.at(now, zone);
        ObjectNode preview = preview(schedule(start), start);
        if (isTree()) {
            printer().tree(preview);
            return ExitCode.DONE;
        }
        warn(preview);
        if (isForPeople()) {
            printer().line(preview.path("description").asText());
            printer().line("");
        }
        return showAll(preview.path("local"), JobReports.FIRE_TIMES);
    }

    private Schedule schedule(Instant start) {
        List<Schedule> lines = new ArrayList<>();
        for (String expression : expressions) {
            try {
                lines.add(Schedule.parse(expression, zone, daylightSaving, start));
            } catch (ScheduleProblem e) {
                throw new CommandFailed(ExitCode.USAGE, "\"" + expression + "\" " + e.getMessage());
            }
        }
        if (lines.size() > 1) {
            checkTogether(start);
        }
        return Schedule.union(lines, zone);
    }

    private void checkTogether(Instant start) {
        ObjectNode sent = Trees.object().put("zone", zone.getId()).put("from", Times.text(start));
        expressions.forEach(sent.putArray("schedule")::add);
        try {
            PreviewRequest.parse(sent);
        } catch (InvalidDefinition e) {
            throw new CommandFailed(
                    ExitCode.USAGE,
                    e.problems().stream()
                            .map(problem -> problem.field() + " " + problem.message())
                            .toList());
        }
    }

    /** Returns the preview in the form of the API's answer. */
    private ObjectNode preview(Schedule schedule, Instant start) {
        ObjectNode preview = Trees.object().put("schedule", schedule.normalized());
        preview.put("zone", schedule.zone().getId());
        ArrayNode fireTimes = preview.putArray("fireTimes");
        ArrayNode local = preview.putArray("local");
        Optional<Instant> next = schedule.nextAfter(start);
        while (next.isPresent() && fireTimes.size() < count) {
            LocalFireTime there = LocalFireTime.of(next.get(), schedule.zoneAt(next.get()));
            fireTimes.add(Times.text(next.get()));
            local.addObject()
                    .put("at", Times.text(next.get()))
                    .put("local", there.local())
                    .put("zone", there.zone().getId())
                    .put("offset", there.offset());
            next = schedule.nextAfter(next.get());
        }
        preview.put("description", schedule.description());
        ArrayNode warnings = preview.putArray("warnings");
        schedule.warnings(start).forEach(warnings::add);
        return preview;
    }
}
