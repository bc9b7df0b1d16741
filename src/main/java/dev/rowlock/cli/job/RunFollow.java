package dev.rowlock.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cli.call.OutputOf;
import dev.rowlock.cli.call.Remote;
import dev.rowlock.cli.call.TaskViews;
import dev.rowlock.cli.client.Ask;
import dev.rowlock.cli.output.CommandNames;
import dev.rowlock.cli.output.Moments;
import dev.rowlock.field.Times;
import dev.rowlock.task.Origin;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Follower of a run to its end: its output, its further attempts, and if it is a broadcast, its parts on all nodes. */
final class RunFollow {

    private static final int MOST = 1000;
    private static final int SIGNALLED = 128;

    private final Remote command;

    RunFollow(Remote command) {
        this.command = command;
    }

    /**
     * Follows a run, and returns the exit code of its last attempt; of several parts the first that is not 0, by the
     * names of their nodes.
     */
    int follow(long id) {
        JsonNode task = new OutputOf(command, id).copy(true);
        JsonNode next = said(task);
        while (next != null) {
            task = new OutputOf(command, next.path("id").asLong()).copy(true);
            next = said(task);
        }
        return task.path("outcome").asText().equals("EXPANDED") ? parts(task) : exitCode(task);
    }

    /** Says how it ended; returns the next attempt, or null if there is none. */
    private @Nullable JsonNode said(JsonNode task) {
        if (!task.path("outcome").isTextual()) {
            command.say(TaskViews.title(task) + " goes on; nobody reads its output any more");
            return null;
        }
        String reason = CommandNames.in(task.path("reason").asText(""));
        JsonNode next = next(task);
        command.say(TaskViews.title(task) + ": " + task.path("outcome").asText()
                + (reason.isEmpty() ? "" : ", " + reason)
                + (task.path("durationMs").isNumber()
                        ? ", after "
                                + Moments.length(Duration.ofMillis(
                                        task.path("durationMs").asLong()))
                        : "")
                + (next == null
                        ? ""
                        : "; it is tried again as task " + next.path("id").asText()));
        return next;
    }

    /** Returns the attempt after a task that has ended; null if there is none. */
    private @Nullable JsonNode next(JsonNode task) {
        if (!task.path("outcome").asText().matches("FAILED|TIMED_OUT|LOST")) {
            return null;
        }
        return ofSameTime(task).stream()
                .filter(other -> other.path("origin").equals(task.path("origin")))
                .filter(other ->
                        other.path("attempt").asInt() > task.path("attempt").asInt())
                .min(Comparator.comparing(other -> other.path("attempt").asInt()))
                .orElse(null);
    }

    /** Returns all tasks of its job at its fire time. */
    private List<JsonNode> ofSameTime(JsonNode task) {
        Instant fireTime = Instant.parse(task.path("fireTime").asText());
        List<JsonNode> all = new ArrayList<>();
        command.ask(Ask.get("/tasks")
                        .with("job", TaskViews.jobName(task))
                        .with("since", Times.text(fireTime))
                        .with("until", Times.text(fireTime.plusMillis(1)))
                        .with("limit", MOST))
                .path("items")
                .forEach(all::add);
        return all;
    }

    private int parts(JsonNode whole) {
        String request = "#" + Long.toString(whole.path("id").asLong(), Character.MAX_RADIX);
        List<FollowedPart> parts = new ArrayList<>();
        for (JsonNode task : ofSameTime(whole)) {
            Origin origin = Origin.of(task.path("origin").asText(""));
            if (origin.isPart()
                    && origin.request().equals(request)
                    && parts.stream().noneMatch(part -> part.node.equals(origin.node()))) {
                parts.add(new FollowedPart(origin.node(), task.path("id").asLong()));
            }
        }
        parts.sort(Comparator.comparing(part -> part.node));
        while (parts.stream().anyMatch(part -> part.ended == null)) {
            boolean isQuiet = true;
            for (FollowedPart part : parts) {
                isQuiet &= part.ended != null || !part.advance();
            }
            if (command.around().out().checkError()) {
                return ExitCode.FAILED;
            }
            if (isQuiet) {
                OutputOf.rest();
            }
        }
        return parts.stream()
                .map(part -> exitCode(part.ended))
                .filter(code -> code != 0)
                .findFirst()
                .orElse(parts.isEmpty() ? ExitCode.FAILED : ExitCode.DONE);
    }

    /** Part of a broadcast on one node, with its further attempts. */
    private final class FollowedPart {

        private final String node;
        private final ByteArrayOutputStream line = new ByteArrayOutputStream();
        private OutputOf output;
        private @Nullable JsonNode ended;

        FollowedPart(String node, long id) {
            this.node = node;
            this.output = new OutputOf(command, id, this::write);
        }

        /** Shows what there is by now; returns whether that was something. */
        private boolean advance() {
            long before = output.position();
            JsonNode task = output.advance();
            if (task != null) {
                flush();
                JsonNode next = said(task);
                if (next == null) {
                    ended = task;
                } else {
                    output = new OutputOf(command, next.path("id").asLong(), this::write);
                }
                return true;
            }
            return output.position() > before;
        }

        private void write(byte[] bytes, int length) {
            for (int i = 0; i < length; i++) {
                line.write(bytes[i]);
                if (bytes[i] == '\n') {
                    flush();
                }
            }
        }

        /** Prints a line with its node in front of it, and a line break behind it. */
        private void flush() {
            if (line.size() > 0) {
                byte[] text = line.toByteArray();
                byte[] front = (node + ": ").getBytes(StandardCharsets.UTF_8);
                command.around().out().write(front, 0, front.length);
                command.around().out().write(text, 0, text.length);
                if (text[text.length - 1] != '\n') {
                    command.around().out().write('\n');
                }
                line.reset();
            }
        }
    }

    /** Returns the exit code; 128 and the signal of a killed task, 1 for one that did not run. */
    private static int exitCode(@Nullable JsonNode task) {
        if (task == null || !task.path("outcome").isTextual()) {
            return ExitCode.FAILED;
        }
        if (task.path("exitCode").isNumber()) {
            return task.path("exitCode").asInt();
        }
        return task.path("signal").isNumber() ? SIGNALLED + task.path("signal").asInt() : ExitCode.FAILED;
    }
}
