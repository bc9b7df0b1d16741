package dev.rowlock.cli.top;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.cli.call.CommandFailed;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cli.call.Remote;
import dev.rowlock.cli.call.Routes;
import dev.rowlock.cli.call.Surroundings;
import dev.rowlock.cli.client.Ask;
import dev.rowlock.cli.client.Reply;
import dev.rowlock.cli.client.RequestRefused;
import dev.rowlock.cli.client.Unreachable;
import dev.rowlock.cli.output.CommandNames;
import dev.rowlock.cli.output.Trees;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code rowlock top}. scripts/rowlock prepares the terminal for it, and puts it back. */
@Command(
        description = {
            "Shows what executes, what fails and what is next, live.",
            "Keys: arrows choose, / filters, l shows the output of the task, w says why, k kills it, p pauses or"
                    + " resumes the job, ? helps, q ends it."
        },
        footer = "rowlock top")
@Routes({
    "GET /api/v1/overview",
    "GET /api/v1/tasks",
    "GET /api/v1/jobs",
    "GET /api/v1/jobs/{ns}/{name}",
    "GET /api/v1/jobs/{ns}/{name}/explain",
    "GET /api/v1/tasks/{id}/explain",
    "GET /api/v1/tasks/{id}/output",
    "POST /api/v1/tasks/{id}/kill",
    "POST /api/v1/jobs/{ns}/{name}/pause",
    "POST /api/v1/jobs/{ns}/{name}/resume",
})
public final class TopCommand extends Remote {

    static final List<String> HELP = List.of(
            "up, down   choose a task or a job",
            "/          filter by what a line says; Enter keeps the filter, Esc takes it back",
            "l          the last of what the task has written",
            "w          why the task, or the job, is as it is",
            "k          kill the task",
            "p          pause the job, or resume it",
            "q, Ctrl-C  the end");

    /** Request that is sent once somebody has said yes. */
    private record Confirmation(String text, Ask ask) {}

    @Option(names = "--every", paramLabel = "DURATION", description = "How often it asks; default: 2s.")
    private Duration every = Duration.ofSeconds(2);

    private final TopScreen screen = new TopScreen();
    private JsonNode overview = Trees.object();
    private List<TopRow> rows = List.of();
    private List<String> text = List.of();
    private String message = "";
    private String filter = "";
    private boolean filtering;
    private int chosen;
    private @Nullable Confirmation question;
    private @Nullable Ask shown;
    private @Nullable Instant asked;

    @Override
    protected int run() {
        if (!around().isTerminal(Surroundings.Stream.IN) || !around().isTerminal(Surroundings.Stream.OUT)) {
            throw new CommandFailed(ExitCode.USAGE, "top needs a terminal; rowlock overview says it once");
        }
        TopKeys keys = new TopKeys(around().in());
        try {
            refresh();
            draw(keys, true);
            for (int key = keys.next(); !isEnd(key) && !around().out().checkError(); key = keys.next()) {
                react(key);
                refresh();
                draw(keys, key == TopKeys.NONE);
            }
            keys.finish();
        } catch (IOException e) {
            throw new CommandFailed(ExitCode.FAILED, "the terminal is gone: " + e.getMessage());
        }
        return ExitCode.DONE;
    }

    private boolean isEnd(int key) {
        return key == 'q' && !filtering && question == null && text.isEmpty();
    }

    /** @param ask whether the terminal is asked for its size: not for each answer, which would never end */
    private void draw(TopKeys keys, boolean ask) {
        String bottom = question != null
                ? question.text() + " [y/N]"
                : filtering ? "/" + filter : message.isEmpty() ? "? helps, q ends" : message;
        List<String> head =
                new ArrayList<>(ReportCommands.overviewLines(overview).subList(0, 2));
        head.add("");
        around().out().print(screen.of(keys, around().isColoured(), head, rows, chosen, text, bottom));
        if (ask) {
            around().out().print(TopScreen.ASK_SIZE);
            keys.asked();
        }
        around().out().flush();
    }

    private void refresh() {
        Instant now = around().clock().instant();
        if (asked != null && now.isBefore(asked.plus(every))) {
            return;
        }
        asked = now;
        try {
            overview = get(Ask.get("/overview"));
            JsonNode executing =
                    get(Ask.get("/tasks").with("state", "EXECUTING").with("limit", 100));
            JsonNode next = get(Ask.get("/jobs").with("sort", "next").with("limit", 100));
            rows = TopRow.of(
                    executing.path("items"),
                    overview,
                    next.path("items"),
                    printer().moments(),
                    filter);
            if (shown != null) {
                text = lines(shown);
            }
            message = "";
        } catch (RequestRefused | Unreachable e) {
            message = String.valueOf(e.getMessage());
        }
        choose(0);
    }

    private JsonNode get(Ask ask) {
        try (Reply reply = client().send(ask)) {
            return reply.json();
        }
    }

    private void react(int key) {
        if (question != null && key > 0 && key != TopKeys.SIZE) {
            answer(key);
        } else if (filtering) {
            type(key);
        } else if (!text.isEmpty() && (key == 'q' || key == TopKeys.ESCAPE || key == TopKeys.ENTER)) {
            text = List.of();
            shown = null;
        } else {
            command(key);
        }
    }

    private void command(int key) {
        TopRow row = chosen < rows.size() ? rows.get(chosen) : null;
        switch (key) {
            case TopKeys.UP -> choose(-1);
            case TopKeys.DOWN -> choose(1);
            case TopKeys.ESCAPE -> filter("");
            case '/' -> filtering = true;
            case '?' -> text = HELP;
            default -> {
                if (row != null && !row.isTitle()) {
                    command(key, row);
                }
            }
        }
    }

    private void command(int key, TopRow row) {
        String namespace = row.job().substring(0, row.job().indexOf('/'));
        String name = row.job().substring(namespace.length() + 1);
        if (key == 'l' && row.task() > 0) {
            show(Ask.get("/tasks/{}/output", row.task()));
        } else if (key == 'w') {
            show(
                    row.task() > 0
                            ? Ask.get("/tasks/{}/explain", row.task())
                            : Ask.get("/jobs/{}/{}/explain", namespace, name));
        } else if (key == 'k' && row.task() > 0) {
            question = new Confirmation("kill task " + row.task() + "?", Ask.of("POST", "/tasks/{}/kill", row.task()));
        } else if (key == 'p') {
            attempt(() -> {
                boolean paused = get(Ask.get("/jobs/{}/{}", namespace, name))
                        .path("paused")
                        .asBoolean();
                String verb = paused ? "resume" : "pause";
                question = new Confirmation(
                        verb + " " + row.job() + "?", Ask.of("POST", "/jobs/{}/{}/" + verb, namespace, name));
            });
        }
    }

    private void answer(int key) {
        Confirmation asking = question;
        question = null;
        if (asking != null && (key == 'y' || key == 'Y')) {
            attempt(() -> {
                get(asking.ask());
                asked = null;
            });
        }
    }

    private void type(int key) {
        if (key == TopKeys.ENTER) {
            filtering = false;
        } else if (key == TopKeys.ESCAPE) {
            filtering = false;
            filter("");
        } else if (key == TopKeys.BACKSPACE) {
            filter(filter.substring(0, Math.max(0, filter.length() - 1)));
        } else if (key >= ' ' && key < TopKeys.BACKSPACE) {
            filter(filter + (char) key);
        }
    }

    private void filter(String text) {
        filter = text;
        asked = null;
    }

    private void show(Ask ask) {
        attempt(() -> {
            text = lines(ask);
            shown = ask;
        });
    }

    private void attempt(Runnable what) {
        try {
            what.run();
        } catch (RequestRefused | Unreachable e) {
            message = String.valueOf(e.getMessage());
            asked = around().clock().instant(); // so that it can be read
        }
    }

    /** Returns the text to show instead of the rows: an output, or an explanation. */
    private List<String> lines(Ask ask) {
        List<String> lines = new ArrayList<>();
        try (Reply reply = client().send(ask)) {
            if (ask.target().endsWith("/output")) {
                new String(reply.body().readAllBytes(), StandardCharsets.UTF_8)
                        .lines()
                        .forEach(lines::add);
            } else {
                JsonNode said = reply.json();
                lines.add(CommandNames.in(said.path("summary").asText()));
                lines.add("");
                said.path("steps")
                        .forEach(step -> lines.add(step.path("at").asText() + "  "
                                + step.path("detail").asText()));
            }
        } catch (IOException e) {
            throw new Unreachable("what was asked for broke off: " + e.getMessage(), e);
        }
        return lines.isEmpty() ? List.of("(nothing)") : lines;
    }

    /** Moves to the next line that is no title. */
    private void choose(int step) {
        int to = Math.max(0, Math.min(rows.size() - 1, chosen + step));
        while (to >= 0 && to < rows.size() && rows.get(to).isTitle()) {
            to += step < 0 ? -1 : 1;
        }
        if (to >= 0 && to < rows.size()) {
            chosen = to;
        }
    }
}
