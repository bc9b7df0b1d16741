package dev.rowlock.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.call.Bodies;
import dev.rowlock.cli.call.Change;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cli.call.JobOptions;
import dev.rowlock.cli.call.JobViews;
import dev.rowlock.cli.call.Routes;
import dev.rowlock.cli.call.TaskViews;
import dev.rowlock.cli.call.TimeZoneOption;
import dev.rowlock.cli.call.When;
import dev.rowlock.cli.client.Ask;
import dev.rowlock.cli.output.Column;
import dev.rowlock.cli.output.CommandNames;
import dev.rowlock.cli.output.Trees;
import dev.rowlock.cli.output.View;
import dev.rowlock.definition.JobKey;
import dev.rowlock.field.Times;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rowlock job …}: what holds a job back, and lets it go on. */
public final class JobHolds {

    private static final View CHANGED = View.named("changed", Column.number("CHANGED", "changed"));

    private JobHolds() {}

    /** Command for one job, or for several at once. */
    abstract static class OneOrMany extends Change.Dangerous {

        @Parameters(
                arity = "0..1",
                paramLabel = "[NAMESPACE/]NAME",
                description = "The job; instead of it, several can be named by the options.")
        private @Nullable JobKey job;

        @Mixin
        private final JobOptions.Matching matching = new JobOptions.Matching();

        /** Returns the job; null if several are meant. */
        final @Nullable JobKey job() {
            return job;
        }

        /** Returns what else is to be said of it. */
        String more() {
            return "";
        }

        final int carryOut(String verb, String past, ObjectNode body) {
            if ((job == null) != matching.isGiven()) {
                throw misunderstood("name one job, or several by --namespace, --label or --match");
            }
            if (job != null) {
                Ask ask = JobOptions.ask("POST", job, "/" + verb);
                return change(
                        body.isEmpty() ? ask : ask.body(body), "job " + job + " is " + past + more(), JobViews.JOBS);
            }
            Ask ask = Ask.of("POST", "/jobs/" + verb).body(matching.body().setAll(body));
            require(matching + " are going to be " + past + more());
            return change(ask, answer -> many(answer, past));
        }

        private int many(JsonNode answer, String past) {
            answer.path("failures")
                    .forEach(failure -> say(failure.path("job").asText() + " is not: "
                            + CommandNames.in(failure.path("problem").asText())));
            if (answer.path("stopped").isTextual()) {
                say(answer.path("stopped").asText());
            }
            int changed = answer.path("changed").asInt();
            int matched = answer.path("matched").asInt();
            String sentence = changed == matched
                    ? matched + (matched == 1 ? " matching job is " : " matching jobs are ") + past
                    : changed + " of " + matched + " matching jobs changed; the others were " + past
                            + " already, or could not be";
            int code = done(sentence, answer, CHANGED);
            boolean whole = answer.path("failed").asInt() == 0
                    && !answer.path("stopped").isTextual();
            return whole ? code : ExitCode.FAILED;
        }
    }

    /** {@code rowlock job pause}. */
    @Command(
            description = {
                "Pauses a job: what its schedule asks for is skipped until it is resumed. Manual runs go on.",
                "Several jobs at once are only paused if you say that you mean it."
            },
            footer = "rowlock job pause ops/backup --until 2h --reason 'the store moves'")
    @Routes({"GET /api/v1/jobs/{ns}/{name}", "POST /api/v1/jobs/{ns}/{name}/pause", "POST /api/v1/jobs/pause"})
    public static final class PauseJobs extends OneOrMany {

        @Option(
                names = "--until",
                paramLabel = "WHEN",
                description = "Resume by itself then: 14:00, 'tomorrow 06:00', '2026-12-01 06:00', or in how long,"
                        + " such as 2h.")
        private @Nullable When until;

        @Mixin
        private final TimeZoneOption zone = new TimeZoneOption();

        private @Nullable Instant end;

        @Option(names = "--reason", paramLabel = "TEXT", description = "Why; whoever looks at the job sees it.")
        private @Nullable String reason;

        @Override
        String more() {
            return end == null ? "" : " until " + printer().moments().absolute(end);
        }

        @Override
        protected int run() {
            ObjectNode body = Trees.object();
            if (until != null) {
                end = zone.future(this, until, job());
                body.put("until", Times.text(end));
            }
            return carryOut("pause", "paused", Bodies.put(body, "reason", reason));
        }
    }

    /** {@code rowlock job resume}. */
    @Command(
            description = "Resumes a job, or several. What fell into the pause is not made up for.",
            footer = "rowlock job resume ops/backup")
    @Routes({"POST /api/v1/jobs/{ns}/{name}/resume", "POST /api/v1/jobs/resume"})
    public static final class ResumeJobs extends OneOrMany {

        @Override
        protected int run() {
            return carryOut("resume", "resumed", Trees.object());
        }
    }

    /** {@code rowlock job release}. */
    @Command(
            description = "Tries at once again what was set aside, because it could not be prepared.",
            footer = "rowlock job release ops/backup")
    @Routes("POST /api/v1/jobs/{ns}/{name}/release")
    public static final class ReleaseJob extends Change {

        @Mixin
        private final JobOptions.JobArgument named = new JobOptions.JobArgument();

        @Override
        protected int run() {
            return change(
                    named.ask("POST", "/release"), "what is set aside of " + named.key() + " is tried", JobViews.JOBS);
        }
    }

    /** {@code rowlock job reschedule}. */
    @Command(
            description = "Sets the next fire time from now on; for when the database's clock was ahead.",
            footer = "rowlock job reschedule ops/backup")
    @Routes("POST /api/v1/jobs/{ns}/{name}/reschedule")
    public static final class RescheduleJob extends Change {

        @Mixin
        private final JobOptions.JobArgument named = new JobOptions.JobArgument();

        @Override
        protected int run() {
            return change(
                    named.ask("POST", "/reschedule"),
                    "the next fire time of " + named.key() + " is set from now on",
                    JobViews.JOBS);
        }
    }

    /** {@code rowlock job kill}. */
    @Command(description = "Stops all that a job executes.", footer = "rowlock job kill ops/backup --yes")
    @Routes("POST /api/v1/jobs/{ns}/{name}/kill")
    public static final class KillJob extends Change.Dangerous {

        @Mixin
        private final JobOptions.JobArgument named = new JobOptions.JobArgument();

        @Override
        protected int run() {
            require("all that " + named.key() + " executes is going to be killed");
            return change(named.ask("POST", "/kill"), this::asked);
        }

        private int asked(JsonNode answer) {
            long count = answer.path("count").asLong();
            say(count + (count == 1 ? " task of " : " tasks of ") + named.key() + (count == 1 ? " is" : " are")
                    + " asked to end");
            warn(answer);
            return isForPeople() ? ExitCode.DONE : showAll(answer.path("items"), TaskViews.TASKS);
        }
    }
}
