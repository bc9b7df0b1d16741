package dev.rowlock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cli.call.JobViews;
import dev.rowlock.cli.call.Remote;
import dev.rowlock.cli.call.Routes;
import dev.rowlock.cli.client.Ask;
import dev.rowlock.cli.client.Client;
import dev.rowlock.cli.client.Reply;
import dev.rowlock.cli.context.ContextFile;
import dev.rowlock.schedule.Zones;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * {@code rowlock complete}: what the scripts of {@code rowlock completion} ask for. Somebody waits with a finger on the
 * key, so it gives up soon, and says what it has.
 */
@Command(description = "Names that begin so, for shells.", hidden = true, footer = "rowlock complete jobs -- ops/b")
@Routes({
    "GET /api/v1/jobs",
    "GET /api/v1/cluster",
    "GET /api/v1/groups",
    "GET /api/v1/secrets",
    "GET /api/v1/tokens",
    "GET /api/v1/alerts/rules",
    "GET /api/v1/alerts/channels"
})
final class CompleteCommand extends Remote {

    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final int MOST = 1000;
    /** Most names that the API gives of any list at once. */
    private static final int SHORT = 500;

    @Parameters(index = "0", paramLabel = "KIND", description = "Of what: jobs, nodes, groups, and so on.")
    private String kind = "";

    @Parameters(index = "1", arity = "0..1", paramLabel = "BEGINNING", description = "What was typed of the name.")
    private String beginning = "";

    @Override
    protected int run() {
        TreeSet<String> names = new TreeSet<>();
        switch (kind) {
            case "jobs" -> jobs(names);
            case "namespaces" ->
                answer(Ask.get("/jobs").with("limit", MOST))
                        .forEach(job -> names.add(job.path("namespace").asText()));
            case "nodes" -> nodes(names);
            case "labels" ->
                answer(Ask.get("/jobs").with("limit", MOST))
                        .forEach(job -> job.path("labels")
                                .properties()
                                .forEach(label -> names.add(
                                        label.getKey() + "=" + label.getValue().asText())));
            case "groups" -> named(names, "/groups");
            case "calendars" -> named(names, "/calendars");
            case "tokens" -> named(names, "/tokens");
            case "rules" -> named(names, "/alerts/rules");
            case "channels" -> named(names, "/alerts/channels");
            case "zones" -> names.addAll(Zones.names());
            case "secrets" ->
                answer(Ask.get("/secrets").with("limit", MOST)).forEach(secret -> names.add(JobViews.name(secret)));
            case "contexts" ->
                names.addAll(ContextFile.read(ContextFile.place(around().environment()))
                        .contexts()
                        .keySet());
            default -> throw misunderstood("\"" + kind + "\" is nothing that has names");
        }
        names.stream()
                .filter(name -> name.startsWith(beginning))
                .forEach(name -> printer().line(name));
        return ExitCode.DONE;
    }

    private void named(Set<String> names, String list) {
        answer(Ask.get(list).with("limit", SHORT))
                .forEach(thing -> names.add(thing.path("name").asText()));
    }

    private void nodes(Set<String> names) {
        for (JsonNode session : whole(Ask.get("/cluster")).path("sessions")) {
            if (!session.path("state").asText().equals("GONE")) {
                names.add(session.path("node").asText());
            }
        }
    }

    /** Adds names of jobs: of a large cluster, first the namespaces; after a slash, the jobs of one. */
    private void jobs(Set<String> names) {
        int slash = beginning.indexOf('/');
        if (slash > 0) {
            String part = beginning.substring(slash + 1);
            answer(Ask.get("/jobs")
                            .with("namespace", beginning.substring(0, slash))
                            .with("q", part.isEmpty() ? null : part)
                            .with("limit", MOST))
                    .forEach(job -> names.add(JobViews.name(job)));
            return;
        }
        JsonNode page = answer(Ask.get("/jobs").with("limit", MOST));
        for (JsonNode job : page) {
            names.add(
                    page.size() < MOST
                            ? JobViews.name(job)
                            : job.path("namespace").asText() + "/");
            if (job.path("namespace").asText().equals("default") && !beginning.isEmpty()) {
                names.add(job.path("name").asText());
            }
        }
    }

    private JsonNode answer(Ask ask) {
        return whole(ask).path("items");
    }

    private JsonNode whole(Ask ask) {
        Client hurried = new Client(client().target(), PATIENCE, this::heard);
        try (Reply reply = hurried.send(ask)) {
            return reply.json();
        }
    }
}
