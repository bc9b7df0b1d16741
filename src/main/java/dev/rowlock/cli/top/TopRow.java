package dev.rowlock.cli.top;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.cli.call.JobViews;
import dev.rowlock.cli.call.TaskViews;
import dev.rowlock.cli.output.Cell;
import dev.rowlock.cli.output.Column;
import dev.rowlock.cli.output.Moments;
import dev.rowlock.cli.output.Tone;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Line of {@code top}: a task or a job, or the title of those that follow.
 *
 * @param job {@code namespace/name}; empty: a title
 * @param task 0: there is none
 */
record TopRow(String text, Tone tone, String job, long task) {

    private static final String FORM = "  %-9s %-32s %-14s %s";

    boolean isTitle() {
        return job.isEmpty();
    }

    boolean matches(String filter) {
        return text.toLowerCase(Locale.ROOT).contains(filter.toLowerCase(Locale.ROOT));
    }

    /** Makes the rows of what executes, what fails, what is next; only those that match, and titles. */
    static List<TopRow> of(JsonNode executing, JsonNode overview, JsonNode next, Moments moments, String filter) {
        List<TopRow> rows = new ArrayList<>();
        section(rows, "EXECUTING", filter, executing, task -> of(task, moments));
        section(rows, "FAILING", filter, overview.path("failing").path("items"), TopRow::failing);
        section(rows, "NEXT", filter, next, job -> next(job, moments));
        return rows;
    }

    /** Maker of the row of one thing. */
    private interface RowMaker {
        TopRow of(JsonNode thing);
    }

    private static void section(List<TopRow> rows, String title, String filter, JsonNode things, RowMaker shown) {
        List<TopRow> found = new ArrayList<>();
        for (JsonNode thing : things) {
            TopRow row = shown.of(thing);
            if (row.matches(filter)) {
                found.add(row);
            }
        }
        rows.add(new TopRow(title + " " + found.size(), Tone.STRONG, "", 0));
        rows.addAll(found);
    }

    private static TopRow of(JsonNode task, Moments moments) {
        String job = TaskViews.jobName(task);
        String text = FORM.formatted(
                task.path("id").asText(),
                job,
                Cell.of(task.path("node")).text(),
                since(task.path("startedAt"), moments));
        return new TopRow(text, Tone.PLAIN, job, task.path("id").asLong());
    }

    private static TopRow failing(JsonNode failing) {
        String job = TaskViews.jobName(failing);
        String text = FORM.formatted(
                failing.path("lastTask").asText(),
                job,
                failing.path("lastOutcome").asText() + " x"
                        + failing.path("streak").asText(),
                Cell.of(failing.path("lastReason")).text());
        return new TopRow(text, Tone.BAD, job, failing.path("lastTask").asLong());
    }

    private static TopRow next(JsonNode next, Moments moments) {
        String job = JobViews.name(next);
        boolean paused = next.path("paused").asBoolean();
        String text = FORM.formatted(
                "",
                job,
                paused ? "paused" : since(next.path("nextFireTime"), moments),
                JobViews.schedule(next.path("schedule")));
        return new TopRow(
                text,
                paused ? Tone.WARNING : Tone.PLAIN,
                job,
                next.path("lastTask").path("id").asLong());
    }

    private static String since(JsonNode time, Moments moments) {
        return Column.moment(time, moments::relative).text();
    }
}
