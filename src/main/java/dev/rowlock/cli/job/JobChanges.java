package dev.rowlock.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.call.Bodies;
import dev.rowlock.cli.call.Change;
import dev.rowlock.cli.call.CommandFailed;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cli.call.JobOptions;
import dev.rowlock.cli.call.JobViews;
import dev.rowlock.cli.call.Routes;
import dev.rowlock.cli.client.Ask;
import dev.rowlock.cli.client.RequestRefused;
import dev.rowlock.cli.output.Trees;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rowlock job …}: what changes a definition. */
public final class JobChanges {

    private static final int CONFLICT = 409;

    private JobChanges() {}

    /** {@code rowlock job add}. */
    @Command(
            description = {
                "Makes a job.",
                "What is given by options wins over what the file says. With --dry-run, the node checks it and says"
                        + " what would be made."
            },
            footer = "rowlock job add ops/backup --schedule '0 3 * * *' --zone Europe/Berlin --command 'backup --full'"
                    + " --set timeout=1h")
    @Routes({"POST /api/v1/jobs", "PUT /api/v1/jobs/{ns}/{name}", "POST /api/v1/plan"})
    public static final class AddJob extends Change {

        @Mixin
        private final JobOptions.JobArgument named = new JobOptions.JobArgument();

        @Option(
                names = "--schedule",
                paramLabel = "EXPRESSION",
                description = "When; rowlock schedule tries it. Given several times, at the times of each.")
        private List<String> schedules = List.of();

        @Option(names = "--zone", paramLabel = "ZONE", description = "Where the schedule is meant; default: UTC.")
        private @Nullable String zone;

        @Option(names = "--command", paramLabel = "COMMAND", description = "What bash -c is to run.")
        private @Nullable String command;

        @Option(
                names = "--set",
                paramLabel = "FIELD=VALUE",
                description = "Any other field, such as retry.max=3; may be given several times.")
        private List<String> fields = List.of();

        @Option(
                names = {"-f", "--file"},
                paramLabel = "FILE",
                description = "A definition in YAML or JSON; - is standard input.")
        private @Nullable Path file;

        @Option(names = "--replace", arity = "0", description = "Replace it if it is there already.")
        private boolean replace;

        @Override
        protected int run() {
            ObjectNode job = file == null ? Trees.object() : Bodies.file(file, around().in());
            job.put("namespace", named.key().namespace());
            job.put("name", named.key().name());
            if (schedules.size() == 1) {
                job.put("schedule", schedules.get(0));
            } else if (!schedules.isEmpty()) {
                schedules.forEach(job.putArray("schedule")::add);
            }
            Bodies.put(job, "zone", zone);
            Bodies.put(job, "command", command);
            Bodies.set(job, fields);
            if (isDryRun()) {
                return plan(job);
            }
            Ask ask = replace ? named.ask("PUT", "") : Ask.of("POST", "/jobs");
            JsonNode answer = saved(ask.body(job));
            return done(
                    "job " + named.key() + " is saved as version "
                            + answer.path("version").asText(),
                    answer,
                    JobViews.JOBS);
        }

        private JsonNode saved(Ask ask) {
            try {
                return ask(ask);
            } catch (RequestRefused e) {
                if (e.status() != CONFLICT) {
                    throw e;
                }
                throw new CommandFailed(
                        ExitCode.FAILED,
                        "job " + named.key() + " is there already; --replace replaces it, and rowlock job set changes"
                                + " single fields");
            }
        }

        private int plan(ObjectNode job) {
            ObjectNode body = Trees.object();
            body.putArray("jobs").add(job);
            JsonNode plan = ask(Ask.of("POST", "/plan").body(body));
            JsonNode change = plan.path("changes").path(0);
            warn(change);
            if (!isForPeople()) {
                printer().tree(plan);
                return ExitCode.DONE;
            }
            printer()
                    .line("would " + change.path("action").asText().replace("NONE", "change nothing of") + " "
                            + named.key());
            change.path("fields").forEach(field -> printer().line("  " + JobReports.difference(field)));
            return ExitCode.DONE;
        }
    }

    /** {@code rowlock job set}. */
    @Command(
            description = "Changes some fields of a job; null takes a field back to its default.",
            footer = "rowlock job set ops/backup timeout=30m retry.max=3 env.TARGET=null")
    @Routes("PATCH /api/v1/jobs/{ns}/{name}")
    public static final class SetJob extends Change {

        @Mixin
        private final JobOptions.JobArgument named = new JobOptions.JobArgument();

        @Parameters(index = "1..*", arity = "1..*", paramLabel = "FIELD=VALUE", description = "What changes.")
        private List<String> fields = List.of();

        @Mixin
        private final JobOptions.Guarded guarded = new JobOptions.Guarded();

        @Override
        protected int run() {
            Ask ask = guarded.guard(named.ask("PATCH", "")).body(Bodies.set(Trees.object(), fields));
            return change(ask, "job " + named.key() + " is changed", JobViews.JOBS);
        }
    }

    /** {@code rowlock job delete}. */
    @Command(
            description = "Deletes a job. What it executes goes on to its end; its history stays.",
            footer = "rowlock job delete ops/backup --yes")
    @Routes("DELETE /api/v1/jobs/{ns}/{name}")
    public static final class DeleteJob extends Change.Dangerous {

        @Mixin
        private final JobOptions.JobArgument named = new JobOptions.JobArgument();

        @Mixin
        private final JobOptions.Guarded guarded = new JobOptions.Guarded();

        @Override
        protected int run() {
            return delete("job " + named.key(), guarded.guard(named.ask("DELETE", "")), JobViews.JOBS);
        }
    }

    /** {@code rowlock job rollback}. */
    @Command(
            description = {
                "Puts the definition of a version in force again, as a new version.",
                "With --dry-run, shows how it differs from the newest one."
            },
            footer = "rowlock job rollback ops/backup 3")
    @Routes({
        "POST /api/v1/jobs/{ns}/{name}/rollback",
        "GET /api/v1/jobs/{ns}/{name}/versions/{version}/diff",
    })
    public static final class RollBackJob extends Change {

        @Mixin
        private final JobOptions.JobArgument named = new JobOptions.JobArgument();

        @Parameters(index = "1", paramLabel = "VERSION", description = "Which; rowlock job versions lists them.")
        private int version;

        @Mixin
        private final JobOptions.Guarded guarded = new JobOptions.Guarded();

        @Override
        protected int run() {
            if (isDryRun()) {
                JsonNode difference = ask(named.ask("GET", "/versions/{}/diff", version));
                if (isForPeople() && difference.path("fields").isEmpty()) {
                    printer().line("would change nothing of " + named.key());
                } else {
                    JobReports.compare(this, difference, true);
                }
                return ExitCode.DONE;
            }
            Ask ask = guarded.guard(named.ask("POST", "/rollback"))
                    .body(Trees.object().put("version", version));
            return change(ask, "version " + version + " of job " + named.key() + " is in force again", JobViews.JOBS);
        }
    }
}
