package dev.rowlock.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.call.Bodies;
import dev.rowlock.cli.call.Change;
import dev.rowlock.cli.call.CommandFailed;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cli.call.Remote;
import dev.rowlock.cli.call.Routes;
import dev.rowlock.cli.client.Ask;
import dev.rowlock.cli.client.Reply;
import dev.rowlock.cli.files.TextReader;
import dev.rowlock.cli.ical.IcalDates;
import dev.rowlock.cli.ical.WrongIcal;
import dev.rowlock.cli.output.Cell;
import dev.rowlock.cli.output.Column;
import dev.rowlock.cli.output.Trees;
import dev.rowlock.cli.output.View;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rowlock calendar …}: which days are open. */
public final class CalendarCommands {

    private static final View CALENDARS = View.named(
            "name",
            Column.text("CALENDAR", "name"),
            Column.of("CLOSED", row -> count(row.path("closed"))),
            Column.of("OPEN", row -> count(row.path("open"))),
            Column.text("ZONE", "zone"),
            Column.text("KNOWN UNTIL", "knownUntil"),
            Column.number("JOBS", "jobs"),
            Column.text("DESCRIPTION", "description"));

    private CalendarCommands() {}

    /** Counts dates, which a list of calendars has counted already. */
    private static Cell count(JsonNode dates) {
        return Cell.of(String.valueOf(dates.isArray() ? dates.size() : dates.asInt()));
    }

    /** {@code rowlock calendar list}. */
    @Command(description = "Lists calendars.", footer = "rowlock calendar list")
    @Routes("GET /api/v1/calendars")
    public static final class ListCalendars extends Remote {

        @Override
        protected int run() {
            return listAll("/calendars", CALENDARS);
        }
    }

    /** {@code rowlock calendar get}. */
    @Command(
            description = "Shows a calendar, with all its dates as -o yaml.",
            footer = "rowlock calendar get de-nw -o yaml >de-nw.yaml")
    @Routes("GET /api/v1/calendars/{calendar}")
    public static final class GetCalendar extends Remote {

        @Parameters(paramLabel = "CALENDAR", description = "The name of the calendar.")
        private String name = "";

        @Override
        protected int run() {
            return show(ask(Ask.get("/calendars/{}", name)), CALENDARS);
        }
    }

    /** Options of a change that moves fire times. */
    static final class MovingOptions {

        @Option(names = "--force", arity = "0", description = "Change it even if jobs are left without any fire time.")
        private boolean force;
    }

    /** Command that makes or replaces a calendar. */
    abstract static class SavedByCommand extends Change {

        @Mixin
        private final MovingOptions moving = new MovingOptions();

        /** Saves it; with {@code --dry-run}, says which fire times it would move. */
        final int save(String name, ObjectNode body) {
            return save(name, Ask.of("PUT", "/calendars/{}", name).body(body));
        }

        /** Saves it unless somebody else has changed it, or made one, since it was read. */
        final int save(String name, ObjectNode body, @Nullable ObjectNode before) {
            Ask ask = Ask.of("PUT", "/calendars/{}", name).body(body);
            return save(
                    name,
                    before == null
                            ? ask.header("If-None-Match", "*")
                            : ask.header(
                                    "If-Match", "\"" + before.path("version").asText() + "\""));
        }

        private int save(String name, Ask ask) {
            if (isDryRun()) {
                return tell(ask(ask.with("dryRun", true)));
            }
            JsonNode saved = ask(moving.force ? ask.with("force", true) : ask);
            return done(
                    "calendar " + name + " is saved in version "
                            + saved.path("version").asInt(),
                    saved,
                    CALENDARS);
        }

        private int tell(JsonNode plan) {
            if (isTree()) {
                printer().tree(plan);
                return ExitCode.DONE;
            }
            for (JsonNode job : plan.path("jobs")) {
                printer()
                        .line(job.path("namespace").asText() + "/"
                                + job.path("name").asText()
                                + (job.path("never").asBoolean() ? ": no fire time is left" : ""));
                times("-", job.path("removed"), job.path("removedCount").asLong());
                times("+", job.path("added"), job.path("addedCount").asLong());
            }
            printer()
                    .line("of " + plan.path("jobCount").asLong() + " jobs, "
                            + plan.path("jobs").size() + " move: "
                            + plan.path("removedCount").asLong() + " fire times vanish, "
                            + plan.path("addedCount").asLong() + " appear in the next 366 days");
            return ExitCode.DONE;
        }

        private void times(String sign, JsonNode times, long count) {
            times.forEach(t -> printer().line("  " + sign + " " + t.asText()));
            if (count > times.size()) {
                printer().line("  " + sign + " … and " + (count - times.size()) + " more");
            }
        }

        /** Returns what is there; null: nothing. */
        final @Nullable ObjectNode existing(String name) {
            try (Reply known = client().exchange(Ask.get("/calendars/{}", name))) {
                return known.status() == 404 ? null : (ObjectNode) ask(Ask.get("/calendars/{}", name));
            }
        }
    }

    /** {@code rowlock calendar set}. */
    @Command(
            description = "Makes or replaces a calendar, and moves the fire times of the jobs that name it.",
            footer = "rowlock calendar set de-nw -f de-nw.yaml --dry-run")
    @Routes("PUT /api/v1/calendars/{calendar}")
    public static final class SetCalendar extends SavedByCommand {

        @Parameters(paramLabel = "CALENDAR", description = "The name of the calendar.")
        private String name = "";

        @Option(
                names = {"-f", "--file"},
                paramLabel = "FILE",
                description = "The fields are in this file; default: standard input.")
        private Path file = Path.of("-");

        @Override
        protected int run() {
            return save(name, Bodies.file(file, around().in()));
        }
    }

    /** {@code rowlock calendar delete}. */
    @Command(description = "Deletes a calendar that no job names.", footer = "rowlock calendar delete de-nw --yes")
    @Routes("DELETE /api/v1/calendars/{calendar}")
    public static final class DeleteCalendar extends Change.Dangerous {

        @Parameters(paramLabel = "CALENDAR", description = "The name of the calendar.")
        private String name = "";

        @Override
        protected int run() {
            return delete("calendar " + name, Ask.of("DELETE", "/calendars/{}", name), CALENDARS);
        }
    }

    /** {@code rowlock calendar import}. */
    @Command(
            description = "Makes the all-day events of an iCalendar file the closed dates of a calendar; what else it"
                    + " says stays as it is. The file is read here: nodes fetch nothing.",
            footer = "rowlock calendar import de-nw holidays.ics --week MON,TUE,WED,THU,FRI")
    @Routes({"GET /api/v1/calendars/{calendar}", "PUT /api/v1/calendars/{calendar}"})
    public static final class ImportCalendar extends SavedByCommand {

        @Parameters(index = "0", paramLabel = "CALENDAR", description = "The name of the calendar.")
        private String name = "";

        @Parameters(index = "1", paramLabel = "FILE", description = "The file; -: standard input.")
        private Path file = Path.of("-");

        @Option(
                names = "--week",
                split = ",",
                paramLabel = "DAY",
                description = "The open weekdays, such as MON,TUE,WED,THU,FRI; default: as they are, or all seven.")
        private List<String> week = List.of();

        @Option(names = "--zone", paramLabel = "ZONE", description = "Where its dates are meant.")
        private @Nullable String zone;

        @Override
        protected int run() {
            ObjectNode before = existing(name);
            IcalDates dates = read(
                    zone != null || before == null ? zone : before.path("zone").textValue());
            if (!dates.leftOut().isEmpty()) {
                say("warning: left out: " + IcalDates.sentence(dates.leftOut()));
            }
            ObjectNode body = before == null ? Trees.object() : before.deepCopy();
            ArrayNode closed = body.putArray("closed");
            dates.everyYear().forEach((day, called) -> add(closed, day.toString(), called));
            dates.days().forEach((day, called) -> add(closed, day.toString(), called));
            dates.knownUntil()
                    .ifPresentOrElse(last -> body.put("knownUntil", last.toString()), () -> body.putNull("knownUntil"));
            if (!week.isEmpty()) {
                ArrayNode days = body.putArray("week");
                week.forEach(day -> days.add(day.strip()));
            }
            Bodies.put(body, "zone", zone);
            say(dates.size() + " dates of " + file + " are closed");
            return save(name, body, before);
        }

        /** @param where its dates are meant; null: nobody says */
        private IcalDates read(@Nullable String where) {
            LocalDate today = LocalDate.ofInstant(around().clock().instant(), ZoneOffset.UTC);
            try {
                return IcalDates.read(
                        TextReader.of(file.toString(), around().in()),
                        today,
                        where == null ? null : IcalDates.zone(where).orElse(null));
            } catch (WrongIcal e) {
                throw new CommandFailed(ExitCode.FAILED, file + ": " + e.getMessage());
            } catch (IOException e) {
                throw new CommandFailed(ExitCode.FAILED, file + " cannot be read: " + TextReader.reason(e));
            }
        }

        private static void add(ArrayNode dates, String date, String name) {
            ObjectNode one = dates.addObject().put("date", date);
            if (!name.isEmpty()) {
                one.put("name", name);
            }
        }
    }
}
