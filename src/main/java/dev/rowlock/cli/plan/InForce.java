package dev.rowlock.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
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
            command.require(PlanText.summary(plan));
        }
        JsonNode applied = PlanJoining.joined(apply(read, plans));
        if (!command.isForPeople()) {
            FileCommands.show(command, days, applied);
        }
        command.say(PlanText.summary(applied)
                .replace(" to create", " created")
                .replace(" to change", " changed")
                .replace(" to remove", " removed"));
        return ExitCode.DONE;
    }

    private List<JsonNode> apply(PlannedFiles read, List<JsonNode> plans) {
        List<JsonNode> applied = new ArrayList<>();
        List<Ask> asks = read.asks("/apply");
        boolean movesOthers = FileCommands.movesCalendars(plans.get(0));
        for (int part = 0; part < asks.size(); part++) {
            JsonNode plan = plans.get(part);
            if (part > 0 && movesOthers) { // jobs of this part have followed their calendars by now
                plan = again(read, part);
                requireAsShown(plans.get(part), plan, part);
            }
            String etag = "\"" + plan.path("etag").asText() + "\"";
            try {
                applied.add(command.ask(asks.get(part).header("If-Match", etag)));
            } catch (RequestRefused e) {
                if (e.status() == PRECONDITION_FAILED) {
                    throw moved(differences(plan, again(read, part)), part);
                }
                throw failed(e, part, read.sentences(e, part));
            }
        }
        return applied;
    }

    private JsonNode again(PlannedFiles read, int part) {
        return command.ask(read.asks("/plan").get(part));
    }

    /** Stops if a part would change something else by now than was shown, but for what calendars alone have moved. */
    private void requireAsShown(JsonNode shown, JsonNode now, int part) {
        List<String> others = differences(shown, now);
        if (!others.isEmpty()) {
            throw moved(others, part);
        }
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
    private static CommandFailed moved(List<String> others, int part) {
        List<String> sentences = new ArrayList<>();
        others.forEach(other -> sentences.add("since the plan was made, somebody else has " + other));
        if (sentences.isEmpty()) {
            sentences.add("since the plan was made, somebody else has changed one of its jobs or calendars");
        }
        sentences.add((part == 0
                        ? "nothing was changed"
                        : "the first " + part * PlannedFiles.MOST + " jobs are in force; the rest is not")
                + "; the same command again shows what it changes now");
        return new CommandFailed(ExitCode.FAILED, sentences);
    }

    private static List<String> differences(JsonNode before, JsonNode now) {
        Map<String, String> seen = new LinkedHashMap<>();
        before.path("changes").forEach(change -> seen.put(JobViews.name(change), about(change)));
        List<String> differences = new ArrayList<>();
        for (JsonNode change : now.path("changes")) {
            String was = seen.remove(JobViews.name(change));
            if (!about(change).equals(was)) {
                differences.add("changed " + JobViews.name(change));
            }
        }
        seen.keySet().forEach(name -> differences.add("removed " + name));
        return differences;
    }

    /** Returns what it changes; one that only goes by other versions of its calendars changes nothing itself. */
    private static String about(JsonNode change) {
        boolean follows = change.path("action").asText().equals("CHANGE")
                && change.path("fields").isEmpty();
        return (follows ? "\"NONE\"" : change.path("action")) + " " + change.path("fields");
    }
}
