package dev.rowlock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.client.Ask;
import dev.rowlock.cli.client.Refused;
import dev.rowlock.cli.files.JobFiles;
import dev.rowlock.cli.files.Located;
import dev.rowlock.cli.files.WrongFiles;
import dev.rowlock.cli.output.Format;
import dev.rowlock.cli.output.Printer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code rowlock plan} and {@code rowlock apply}: definitions that people keep in files. */
final class FileCommands {

    private static final int PRECONDITION_FAILED = 412;
    private static final int UNPROCESSABLE = 422;

    private FileCommands() {}

    /** {@code rowlock plan}. */
    @Command(
            description =
                    "Shows what it would change to put the jobs of files in force, and which fire times it moves.",
            exitCodeListHeading = "%nexit code:%n",
            exitCodeList = {
                ExitCode.DONE + ":nothing would change",
                ExitCode.DIFFERENT + ":something would",
                ExitCode.USAGE + ":the command line is not understood",
                ExitCode.NOT_COMPARED + ":the files are wrong, or no node answers",
                ExitCode.NOT_ALLOWED + ":the token does not allow it"
            },
            footer = "rowlock plan -f jobs/ --prune-label by=git")
    @Routes("POST /api/v1/plan")
    static class Plan extends Remote {

        @Mixin
        private final FileOptions files = new FileOptions();

        @Override
        int failure() {
            return ExitCode.NOT_COMPARED;
        }

        @Override
        int run() {
            JsonNode plan = PlanJoining.joined(plans(this, files, read(this, files)));
            FileCommands.show(this, files, plan);
            return isEmpty(plan) ? ExitCode.DONE : ExitCode.DIFFERENT;
        }
    }

    /** {@code rowlock diff}: the same. */
    @Command(
            description = "The same as rowlock plan: shows what it would change to put the jobs of files in force.",
            exitCodeListHeading = "%nexit code:%n",
            exitCodeList = {
                ExitCode.DONE + ":nothing would change",
                ExitCode.DIFFERENT + ":something would",
                ExitCode.USAGE + ":the command line is not understood",
                ExitCode.NOT_COMPARED + ":the files are wrong, or no node answers",
                ExitCode.NOT_ALLOWED + ":the token does not allow it"
            },
            footer = "rowlock diff -f jobs/")
    @Routes("POST /api/v1/plan")
    static final class Diff extends Plan {}

    /** {@code rowlock apply}. */
    @Command(
            description = "Puts the jobs of files in force, after it has shown what that changes. On a terminal it asks"
                    + " first; elsewhere it needs --yes if a job is removed. All of it happens, or nothing.",
            footer = "rowlock apply -f jobs/ --prune-label by=git --yes")
    @Routes({"POST /api/v1/plan", "POST /api/v1/apply"})
    static final class Apply extends Change.Dangerous {

        @Mixin
        private final FileOptions files = new FileOptions();

        @Override
        int run() {
            PlannedFiles read = read(this, files);
            List<JsonNode> plans = plans(this, files, read);
            JsonNode plan = PlanJoining.joined(plans);
            if (isForPeople() || isDryRun() || isEmpty(plan)) {
                FileCommands.show(this, files, plan);
            }
            if (isEmpty(plan) || isDryRun()) {
                return ExitCode.DONE;
            }
            long removed = plan.path("summary").path("remove").asLong();
            if (removed > 0 || around().canAsk()) {
                require(PlanText.summary(plan.path("summary")));
            }
            JsonNode applied = PlanJoining.joined(apply(read, plans));
            if (!isForPeople()) {
                FileCommands.show(this, files, applied);
            }
            say(PlanText.summary(applied.path("summary"))
                    .replace(" to create", " created")
                    .replace(" to change", " changed")
                    .replace(" to remove", " removed"));
            return ExitCode.DONE;
        }

        private List<JsonNode> apply(PlannedFiles read, List<JsonNode> plans) {
            List<JsonNode> applied = new ArrayList<>();
            List<ObjectNode> bodies = read.bodies();
            for (int part = 0; part < bodies.size(); part++) {
                String etag = "\"" + plans.get(part).path("etag").asText() + "\"";
                Ask ask = Ask.of("POST", "/apply").body(bodies.get(part)).header("If-Match", etag);
                try {
                    applied.add(ask(ask));
                } catch (Refused e) {
                    throw e.status() == PRECONDITION_FAILED
                            ? moved(plans.get(part), bodies.get(part), part)
                            : failed(e, part, read.sentences(e, part));
                }
            }
            return applied;
        }

        private RuntimeException failed(Refused e, int part, List<String> sentences) {
            if (part == 0 && e.status() != UNPROCESSABLE) {
                return e;
            }
            List<String> all = new ArrayList<>(e.status() == UNPROCESSABLE ? sentences : e.sentences());
            if (part > 0) {
                all.add("the first " + part * PlannedFiles.MOST + " jobs are in force; the rest is not");
            }
            return new CommandFailed(ExitCode.FAILED, all);
        }

        /** Somebody else was faster: which jobs that are. */
        private CommandFailed moved(JsonNode before, ObjectNode body, int part) {
            JsonNode now = ask(Ask.of("POST", "/plan").body(body));
            Map<String, String> seen = new LinkedHashMap<>();
            before.path("changes").forEach(change -> seen.put(JobViews.name(change), about(change)));
            List<String> sentences = new ArrayList<>();
            for (JsonNode change : now.path("changes")) {
                String was = seen.remove(JobViews.name(change));
                if (!about(change).equals(was)) {
                    sentences.add("since the plan was made, somebody else has changed " + JobViews.name(change));
                }
            }
            seen.keySet().forEach(name -> sentences.add("since the plan was made, somebody else has removed " + name));
            if (sentences.isEmpty()) {
                sentences.add("since the plan was made, somebody else has changed one of its jobs");
            }
            sentences.add((part == 0
                            ? "nothing was changed"
                            : "the first " + part * PlannedFiles.MOST + " jobs are in force; the rest is not")
                    + "; the same command again shows what it changes now");
            return new CommandFailed(ExitCode.FAILED, sentences);
        }

        private static String about(JsonNode change) {
            return change.path("action") + " " + change.path("fields");
        }
    }

    private static PlannedFiles read(Remote command, FileOptions files) {
        try {
            PlannedFiles read = files.read(command.around());
            if (read.jobs().isEmpty()) {
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

    /** What each part of it would change. */
    static List<JsonNode> plans(Remote command, FileOptions files, PlannedFiles read) {
        List<JsonNode> plans = new ArrayList<>();
        List<ObjectNode> bodies = read.bodies();
        for (int part = 0; part < bodies.size(); part++) {
            try {
                plans.add(command.ask(Ask.of("POST", "/plan").body(bodies.get(part))));
            } catch (Refused e) {
                if (e.status() == UNPROCESSABLE) {
                    throw new CommandFailed(command.failure(), read.sentences(e, part));
                }
                throw e;
            }
        }
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

    static void show(Remote command, FileOptions files, JsonNode plan) {
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
            long jobs = plan.path("summary").path("none").asLong();
            command.say("nothing to change: " + (jobs == 1 ? "the job is" : "all " + jobs + " jobs are")
                    + " as the files say");
        } else {
            new PlanText(printer, files.days(), format == Format.WIDE).print(plan);
        }
    }

    static boolean isEmpty(JsonNode plan) {
        JsonNode summary = plan.path("summary");
        return summary.path("create").asLong()
                        + summary.path("change").asLong()
                        + summary.path("remove").asLong()
                == 0;
    }
}
