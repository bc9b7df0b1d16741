package dev.rowlock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cli.call.JobViews;
import dev.rowlock.cli.call.OutputOf;
import dev.rowlock.cli.call.Remote;
import dev.rowlock.cli.call.Routes;
import dev.rowlock.cli.call.TaskViews;
import dev.rowlock.cli.client.Ask;
import dev.rowlock.cli.client.Reply;
import dev.rowlock.cli.client.Unreachable;
import dev.rowlock.cli.output.CommandNames;
import dev.rowlock.cli.output.Printer;
import dev.rowlock.cli.output.Tone;
import dev.rowlock.cli.output.Trees;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rowlock events}. */
@Command(
        description = {
            "Shows what happens as it happens, until Ctrl-C; each event once, through restarts of the node.",
            "With -o json, one object a line."
        },
        footer = "rowlock events ops/backup -o json")
@Routes("GET /api/v1/events")
final class EventsCommand extends Remote {

    /** A stream begins again before the last event that was seen, with the same ids. */
    private static final int REMEMBERED = 10_000;

    @Parameters(arity = "0..1", paramLabel = "[NAMESPACE/]NAME", description = "Of this job.")
    private @Nullable String job;

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            description = "Of this namespace.")
    private @Nullable String namespace;

    @Option(names = "--count", paramLabel = "N", description = "End after so many; default: never.")
    private long count = Long.MAX_VALUE;

    private final Set<String> seen = new LinkedHashSet<>();
    private @Nullable String last;
    private long shown;

    @Override
    protected int run() {
        int failures = 0;
        while (goesOn()) {
            try {
                stream();
                failures = 0;
            } catch (Unreachable e) {
                failures++;
                if ((last == null && failures == 1) || failures > OutputOf.TRIES) {
                    throw e;
                }
                OutputOf.rest();
            }
        }
        return ExitCode.DONE;
    }

    /** Returns false once all was shown, or nobody reads it any more, as after {@code | head}. */
    private boolean goesOn() {
        return shown < count && !around().out().checkError();
    }

    private void stream() {
        Ask ask = Ask.get("/events")
                .with("namespace", namespace)
                .with("job", job)
                .header("Accept", "text/event-stream")
                .header("Last-Event-ID", last);
        try (Reply reply = client().send(ask);
                BufferedReader lines =
                        new BufferedReader(new InputStreamReader(reply.body(), StandardCharsets.UTF_8))) {
            String id = null;
            String kind = "";
            for (String line = lines.readLine(); line != null && goesOn(); line = lines.readLine()) {
                if (line.startsWith("id:")) {
                    id = line.substring(3).strip();
                } else if (line.startsWith("event:")) {
                    kind = line.substring(6).strip();
                } else if (line.startsWith("data:")) {
                    show(id, kind, Trees.json(line.substring(5)));
                }
            }
        } catch (IOException e) {
            throw new Unreachable("the stream of events broke: " + e.getMessage(), e);
        }
    }

    private void show(@Nullable String id, String kind, JsonNode data) {
        if (id != null) {
            last = id;
            if (!seen.add(id)) {
                return;
            }
            if (seen.size() > REMEMBERED) {
                seen.remove(seen.iterator().next());
            }
        }
        shown++;
        Printer printer = printer();
        if (isForPeople()) {
            printer.line(printer.moments().absolute(printer.moments().now()) + "  "
                    + Tone.FAINT.paint(String.format("%-13s", kind), printer.colour()) + "  " + text(kind, data));
        } else {
            printer.line(
                    Trees.text(Trees.object().put("event", kind).put("id", id).set("data", data)));
        }
        around().out().flush();
    }

    private static String text(String kind, JsonNode data) {
        if (kind.startsWith("task.")) {
            String state = data.path("outcome").asText(data.path("state").asText());
            return TaskViews.title(data) + " " + state + on(data) + reason(data);
        }
        if (kind.equals("job.changed")) {
            return JobViews.name(data)
                    + (data.path("deleted").asBoolean()
                            ? " deleted"
                            : " version " + data.path("version").asText());
        }
        return data.path("node").asText() + reason(data);
    }

    private static String on(JsonNode task) {
        return task.path("node").isTextual() ? " on " + task.path("node").asText() : "";
    }

    private static String reason(JsonNode data) {
        return data.path("reason").isTextual()
                ? ": " + CommandNames.in(data.path("reason").asText())
                : "";
    }
}
