package dev.rowlock.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.call.Change;
import dev.rowlock.cli.call.Editing;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cli.call.JobOptions;
import dev.rowlock.cli.call.JobViews;
import dev.rowlock.cli.call.Routes;
import dev.rowlock.cli.client.Ask;
import dev.rowlock.cli.client.RequestRefused;
import dev.rowlock.cli.files.JobFiles;
import dev.rowlock.cli.files.JobText;
import dev.rowlock.cli.plan.FileEdit;
import dev.rowlock.definition.JobKey;
import dev.rowlock.yaml.Located;
import dev.rowlock.yaml.WrongFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rowlock job edit}. */
@Command(
        description = "Opens a job in an editor (VISUAL, EDITOR, or vi) and puts it in force when you leave it. What is"
                + " refused comes back with the reasons on top. With -f, a file of jobs is opened instead: it is"
                + " written when a node finds all of it acceptable, and put in force by rowlock apply.",
        footer = "rowlock job edit ops/backup")
@Routes({"GET /api/v1/jobs/{ns}/{name}", "PUT /api/v1/jobs/{ns}/{name}", "POST /api/v1/plan"})
public final class JobEdit extends Change {

    private static final int BAD_REQUEST = 400;
    private static final int UNPROCESSABLE = 422;

    @Parameters(
            arity = "0..1",
            paramLabel = "[NAMESPACE/]NAME",
            description = "The job; without a namespace, of default.")
    private @Nullable JobKey job;

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            description = "Edit this YAML file of jobs, comments and all.")
    private @Nullable Path file;

    @Override
    protected int run() {
        JobKey named = job;
        Path meant = file;
        if (named != null && meant == null) {
            return edit(named);
        }
        if (named == null && meant != null) {
            return new FileEdit(this, meant).run();
        }
        throw misunderstood("name a job, or a file with -f");
    }

    private int edit(JobKey key) {
        JsonNode before = ask(JobOptions.ask("GET", key, ""));
        ObjectNode said = new JobText().definition(before);
        said.put("paused", before.path("paused").asBoolean()); // else nobody sees that it is
        String text = "# Job " + key + ", version " + before.path("version").asText() + ".\n"
                + "# Save it and leave the editor to put it in force; leave it as it is to change nothing.\n"
                + "# A field that is left out has its default: docs/jobs.md has them all.\n" + JobText.yaml(said);
        String etag = "\"" + before.path("version").asText() + "\"";
        List<JsonNode> answers = new ArrayList<>();
        String accepted = Editing.edit(around(), text, edited -> refusals(key, edited, etag, answers));
        if (accepted == null) {
            say("nothing was changed");
            return ExitCode.DONE;
        }
        if (answers.isEmpty()) {
            return ExitCode.DONE; // a dry run has said it
        }
        JsonNode answer = answers.get(0);
        return done("job " + key + " is at version " + answer.path("version").asText(), answer, JobViews.JOBS);
    }

    /** @return what is wrong with it; empty: it is in force */
    private List<String> refusals(JobKey key, String text, String etag, List<JsonNode> answers) {
        try {
            List<Located> jobs = JobFiles.parse("job", text);
            if (jobs.size() != 1 || !JobFiles.key(jobs.get(0)).equals(key.toString())) {
                return List.of("this must be the job " + key + " alone; rowlock apply makes others");
            }
            Ask ask = JobOptions.ask("PUT", key, "").body(jobs.get(0).tree()).header("If-Match", etag);
            if (isDryRun()) {
                would(ask);
            } else {
                answers.add(ask(ask));
            }
            return List.of();
        } catch (WrongFiles e) {
            return e.sentences();
        } catch (RequestRefused e) {
            if (e.status() == UNPROCESSABLE || e.status() == BAD_REQUEST) {
                return e.sentences();
            }
            throw e;
        }
    }
}
