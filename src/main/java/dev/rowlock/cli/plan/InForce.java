package dev.rowlock.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.call.Change;
import dev.rowlock.cli.call.CommandFailed;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cli.call.JobViews;
import dev.rowlock.cli.client.Ask;
import dev.rowlock.cli.client.RequestRefused;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Step that puts definitions in force, after it has shown what that changes; only as it was shown. */
final class InForce {

    private static final int PRECONDITION_FAILED = 412;
    private static final int UNPROCESSABLE = 422;

    private final Change.Dangerous command;
    private final int days;

    /** @param days how far fire times are compared */
    InForce(Change.Dangerous command, int days) {
        this.command = command;
        this.days = days;
    }

    /**
     * Shows it, asks if somebody is there, and does it.
     *
     * @param plans of its parts
     * @param keeps whether what is there is not to be changed, either, unless somebody means it
     */
    int put(PlannedFiles read, List<JsonNode> plans, boolean keeps) {
        JsonNode plan = PlanJoining.joined(plans);
        if (command.isForPeople() || command.isDryRun() || FileCommands.isEmpty(plan)) {
            FileCommands.show(command, days, plan);
        }
        if (FileCommands.isEmpty(plan) || command.isDryRun()) {
            return ExitCode.DONE;
        }
        JsonNode summary = plan.path("summary");
        long replaced = summary.path("remove").asLong()
                + (keeps ? summary.path("change").asLong() : 0);
        if (replaced > 0 || command.around().canAsk()) {
            command.require(PlanText.summary(summary));
        }
        JsonNode applied = PlanJoining.joined(apply(read, plans));
        if (!command.isForPeople()) {
            FileCommands.show(command, days, applied);
        }
        command.say(PlanText.summary(applied.path("summary"))
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
                applied.add(command.ask(ask));
            } catch (RequestRefused e) {
                throw e.status() == PRECONDITION_FAILED
                        ? moved(plans.get(part), bodies.get(part), part)
                        : failed(e, part, read.sentences(e, part));
            }
        }
        return applied;
    }

    private RuntimeException failed(RequestRefused e, int part, List<String> sentences) {
        if (part == 0 && e.status() != UNPROCESSABLE) {
            return e;
        }
        List<String> all = new ArrayList<>(e.status() == UNPROCESSABLE ? sentences : e.sentences());
        if (part > 0) {
            all.add("the first " + part * PlannedFiles.MOST + " jobs are in force; the rest is not");
        }
        return new CommandFailed(ExitCode.FAILED, all);
    }

    /** Returns the failure that names the jobs that somebody else has changed meanwhile. */
    private CommandFailed moved(JsonNode before, ObjectNode body, int part) {
        JsonNode now = command.ask(Ask.of("POST", "/plan").body(body));
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
