package dev.rowlock.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.cli.call.Change;
import dev.rowlock.cli.call.CommandFailed;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cli.call.JobViews;
import dev.rowlock.cli.call.Remote;
import dev.rowlock.cli.call.Routes;
import dev.rowlock.cli.client.Ask;
import dev.rowlock.cli.client.RequestRefused;
import dev.rowlock.cli.files.JobFiles;
import dev.rowlock.cli.output.Format;
import dev.rowlock.cli.output.Printer;
import dev.rowlock.yaml.Located;
import dev.rowlock.yaml.WrongFiles;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code rowlock plan} and {@code rowlock apply}: definitions that people keep in files. */
public final class FileCommands {

    private static final int UNPROCESSABLE = 422;

    private FileCommands() {}

    /** {@code rowlock plan}. */
    @Command(
            description =
                    "Shows what it would change to put the jobs of files in force, and which fire times it moves.",
            exitCodeList = {
                ExitCode.DONE + ":nothing would change",
                ExitCode.DIFFERENT + ":something would",
                ExitCode.USAGE + ":the command line is not understood",
                ExitCode.NOT_COMPARED + ":the files are wrong, or no node answers",
                ExitCode.NOT_ALLOWED + ":the token does not allow it"
            },
            footer = "rowlock plan -f jobs/ --prune-label by=git")
    @Routes("POST /api/v1/plan")
    public static class PlanCommand extends Remote {

        @Mixin
        private final FileOptions files = new FileOptions();

        @Override
        public int failure() {
            return ExitCode.NOT_COMPARED;
        }

        @Override
        protected int run() {
            JsonNode plan = PlanJoining.joined(plans(this, files, read(this, files)));
            FileCommands.show(this, files.days(), plan);
            return isEmpty(plan) ? ExitCode.DONE : ExitCode.DIFFERENT;
        }
    }

    /** {@code rowlock diff}: the same. */
    @Command(
            description = "The same as rowlock plan: shows what it would change to put the jobs of files in force.",
            footer = "rowlock diff -f jobs/")
    @Routes("POST /api/v1/plan")
    public static final class DiffCommand extends PlanCommand {}

    /** {@code rowlock apply}. */
    @Command(
            description = "Puts the jobs of files in force, after it has shown what that changes. On a terminal it asks"
                    + " first; elsewhere it needs --yes if a job is removed. All of it happens, or nothing.",
            footer = "rowlock apply -f jobs/ --prune-label by=git --yes")
    @Routes({"POST /api/v1/plan", "POST /api/v1/apply"})
    public static final class ApplyCommand extends Change.Dangerous {

        @Mixin
        private final FileOptions files = new FileOptions();

        @Override
        protected int run() {
            PlannedFiles read = read(this, files);
            InForce force = new InForce(this, files.days());
            List<JsonNode> plans = plans(this, files, read);
            return force.put(read, plans, false);
        }
    }

    private static PlannedFiles read(Remote command, FileOptions files) {
        try {
            PlannedFiles read = files.read(command.around());
            if (read.jobs().isEmpty() && read.calendars().isEmpty()) {
                throw new CommandFailed(
                        command.failure(),
                        "there is no job in " + files.named()
                                + (files.prunes() ? ", and an empty set is not taken for the wish to remove all" : ""));
            }
            if (files.prunes() && read.jobs().size() > PlannedFiles.MOST) {
                throw new CommandFailed(
                        command.failure(),
                        "there are more than " + PlannedFiles.MOST + " jobs in " + files.named() + ", which are sent in"
                                + " parts; to prune, name fewer, as by namespaces");
            }
            return read;
        } catch (WrongFiles e) {
            throw new CommandFailed(command.failure(), e.sentences());
        }
    }

    /** Asks what each part of it would change. */
    private static List<JsonNode> plans(Remote command, FileOptions files, PlannedFiles read) {
        List<JsonNode> plans = plans(command, read);
        for (Located job : read.jobs()) {
            if (files.prunes() && !files.canPrune(job.tree())) {
                command.say("warning: " + job.at("name") + ": "
                        + JobFiles.key(job)
                        + " is none of those that --prune-namespace and --prune-label ask for, so that they will not"
                        + " remove it when the files name it no more");
            }
        }
        return plans;
    }

    /** Asks what each part of it would change, without a word about what it would not remove. */
    static List<JsonNode> plans(Remote command, PlannedFiles read) {
        List<JsonNode> plans = new ArrayList<>();
        List<Ask> asks = read.asks("/plan");
        for (int part = 0; part < asks.size(); part++) {
            try {
                plans.add(command.ask(asks.get(part)));
            } catch (RequestRefused e) {
                if (e.status() == UNPROCESSABLE) {
                    throw new CommandFailed(command.failure(), read.sentences(e, part));
                }
                throw e;
            }
        }
        return plans;
    }

    static void show(Remote command, int days, JsonNode plan) {
        Format format = command.options().format();
        Printer printer = command.printer();
        if (format == Format.NAME) {
            plan.path("changes").forEach(change -> {
                if (!change.path("action").asText().equals("NONE")) {
                    printer.line(JobViews.name(change));
                }
            });
        } else if (!command.isForPeople()) {
            printer.tree(plan);
        } else if (isEmpty(plan)) {
            PlanText.frozen(printer, plan);
            command.say(PlanText.unchanged(plan));
        } else {
            new PlanText(printer, days, format == Format.WIDE).print(plan);
        }
    }

    /** Returns whether it creates or changes a calendar. */
    static boolean movesCalendars(JsonNode plan) {
        for (JsonNode calendar : plan.path("calendars")) {
            if (!calendar.path("action").asText().equals("NONE")) {
                return true;
            }
        }
        return false;
    }

    static boolean isEmpty(JsonNode plan) {
        if (movesCalendars(plan)) {
            return false;
        }
        JsonNode summary = plan.path("summary");
        return summary.path("create").asLong()
                        + summary.path("change").asLong()
                        + summary.path("remove").asLong()
                == 0;
    }
}
