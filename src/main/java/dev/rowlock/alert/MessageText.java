package dev.rowlock.alert;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.alert.MessagePart.PartKind;
import dev.rowlock.definition.JobKey;
import dev.rowlock.schedule.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Message as text: what happened, to what, since when, and what to do. */
public final class MessageText {

    /** Number of alerts that a message describes one by one. */
    public static final int TOLD = 20;

    private static final int NAMED = 3;
    /** Number up to which failures before a recovery are counted. */
    private static final int COUNTED = 100;

    private final List<MessagePart> parts;
    private final int total;
    private final @Nullable String publicUrl;

    /**
     * @param parts the first ones; not empty
     * @param total of all
     * @param publicUrl where people reach Rowlock, without a slash at the end; null: nobody said
     */
    public MessageText(List<MessagePart> parts, int total, @Nullable String publicUrl) {
        this.parts = parts;
        this.total = total;
        this.publicUrl = publicUrl;
    }

    /** Returns the subject line. */
    public String subject() {
        if (total == 1) {
            return headline(parts.get(0));
        }
        Map<String, Long> kinds =
                parts.stream().collect(Collectors.groupingBy(MessageText::word, TreeMap::new, Collectors.counting()));
        List<String> names =
                parts.stream().map(part -> name(part.alert())).distinct().toList();
        String named = names.stream().limit(NAMED).collect(Collectors.joining(", "));
        String words = kinds.size() == 1 ? kinds.keySet().iterator().next() : "alerts";
        return number(total) + " " + words + ": " + named + (names.size() > NAMED || total > parts.size() ? ", …" : "");
    }

    /** Returns the body as plain text. */
    public String body() {
        List<String> lines = new ArrayList<>();
        for (MessagePart part : parts) {
            lines.addAll(lines(part));
            lines.add("");
        }
        if (total > parts.size()) {
            lines.add("… and " + number(total - parts.size()) + " more: rowlock alert list, or GET /api/v1/alerts");
            lines.add("");
        }
        return String.join("\n", lines);
    }

    private List<String> lines(MessagePart part) {
        RaisedAlert alert = part.alert();
        ObjectNode detail = alert.detail();
        List<String> lines = new ArrayList<>();
        lines.add(headline(part));
        if (part.kind() == PartKind.RECOVERED) {
            recovered(lines, alert);
            return lines;
        }
        line(lines, "When", time(alert.at()));
        line(lines, "Fire time", time(instant(detail, "fireTime")));
        line(lines, "Node", alert.node());
        line(lines, "Reason", text(detail, "reason"));
        if (!alert.isOpen() && alert.closedAt() != null) {
            line(lines, "Since then", "it is over since " + time(alert.closedAt()));
        }
        if (!part.tail().isEmpty()) {
            lines.add("  Output, its end:");
            part.tail().forEach(output -> lines.add("    " + output));
        }
        line(lines, "See", link(alert, alert.task()));
        line(lines, "Rule", alert.rule());
        line(lines, "What to do", remedy(alert));
        return lines;
    }

    /** Adds what is over, and by which run. */
    private void recovered(List<String> lines, RaisedAlert alert) {
        JsonNode by = alert.detail().path("recovered");
        String at = text(by, "at");
        line(lines, "When", time(at == null ? alert.closedAt() : Instant.parse(at)));
        if (by.has("task")) {
            int failures = by.path("failures").asInt();
            line(
                    lines,
                    "Succeeded",
                    "task " + by.path("task").asLong()
                            + (failures > 0
                                    ? ", after " + number(failures)
                                            + (failures == 1
                                                    ? " failure"
                                                    : " failures in a row" + (failures < COUNTED ? "" : " or more"))
                                    : ""));
        }
        line(lines, "Told of", phrase(alert) + ", " + time(alert.at()));
        line(
                lines,
                "See",
                link(alert, by.has("task") ? Long.valueOf(by.path("task").asLong()) : alert.task()));
        line(lines, "Rule", alert.rule());
    }

    private static void line(List<String> lines, String what, @Nullable String value) {
        if (value != null && !value.isEmpty()) {
            lines.add("  " + what + ": " + value);
        }
    }

    private static String headline(MessagePart part) {
        String name = name(part.alert());
        return switch (part.kind()) {
            case RAISED -> name + " " + phrase(part.alert());
            case REMINDER -> "Reminder: " + name + " " + phrase(part.alert());
            case RECOVERED -> name + " recovered";
        };
    }

    /** Returns the word by which a subject line sums up alerts of this kind. */
    private static String word(MessagePart part) {
        return switch (part.kind()) {
            case RECOVERED -> "recovered";
            case REMINDER -> "reminders";
            case RAISED ->
                switch (part.alert().condition()) {
                    case FAILED, FAILED_IN_A_ROW -> "failed";
                    case NOT_STARTED_BY -> "not started in time";
                    case NEVER_SUCCEEDED -> "never succeeded";
                    case NOT_FINISHED_BY -> "not finished in time";
                    case AT_RISK -> "at risk";
                    case TOO_LONG -> "took too long";
                    case TOO_SHORT -> "took suspiciously short";
                    case NODE_LOST -> "nodes lost";
                    default -> "alerts";
                };
        };
    }

    static String name(RaisedAlert alert) {
        JobKey job = alert.job();
        if (job != null) {
            return job.toString();
        }
        return switch (alert.condition()) {
            case NODE_LOST -> "Node " + alert.node();
            case DATABASE_AWAY -> "The database";
            case VERIFICATION_FAILED -> "rowlock verify";
            case TOKEN_EXPIRING ->
                "Token " + alert.subject().substring(alert.subject().indexOf(':') + 1);
            default -> alert.subject();
        };
    }

    /** Returns a phrase for what happened. */
    private static String phrase(RaisedAlert alert) {
        ObjectNode detail = alert.detail();
        return switch (alert.condition()) {
            case FAILED -> outcome(detail);
            case FAILED_IN_A_ROW -> {
                int streak = detail.path("streak").asInt();
                yield streak > 1 ? "failed " + number(streak) + " times in a row" : outcome(detail);
            }
            case NOT_STARTED_BY -> "did not start within " + duration(detail, "limitMs") + " of its fire time";
            case NOT_FINISHED_BY -> "had not finished by " + time(instant(detail, "finishBy"));
            case AT_RISK -> "is not likely to finish by " + time(instant(detail, "finishBy"));
            case NEVER_SUCCEEDED -> "has never succeeded";
            case TOO_LONG ->
                (detail.path("durationMs").isNumber() ? "took " + duration(detail, "durationMs") : "is still running")
                        + ", more than " + duration(detail, "limitMs");
            case TOO_SHORT ->
                "took only " + duration(detail, "durationMs") + ", less than " + duration(detail, "limitMs");
            case NODE_LOST -> "was lost";
            case DATABASE_AWAY -> "was away for " + duration(detail, "durationMs");
            case VERIFICATION_FAILED ->
                detail.path("wrong").asLong() == 1
                        ? "found a job that does not add up"
                        : "found " + number(detail.path("wrong").asLong()) + " jobs that do not add up";
            case TOKEN_EXPIRING -> "expires on " + time(instant(detail, "expiresAt"));
            case RECOVERED -> "recovered";
        };
    }

    private static String outcome(ObjectNode detail) {
        return switch (detail.path("outcome").asText()) {
            case "TIMED_OUT" -> "timed out";
            case "KILLED" -> "was killed";
            case "LOST" -> "was lost with its node";
            case "SKIPPED", "MISSED" -> "failed, and was not tried again in time";
            default ->
                detail.path("exitCode").isNumber()
                        ? "failed with exit code " + detail.path("exitCode").asInt()
                        : "failed";
        };
    }

    private static String remedy(RaisedAlert alert) {
        String name = String.valueOf(alert.job());
        String job = "/api/v1/jobs/" + name;
        String output = "/api/v1/tasks/" + alert.task() + "/output";
        return switch (alert.condition()) {
            case FAILED, FAILED_IN_A_ROW, NEVER_SUCCEEDED ->
                "read the output (rowlock task logs " + alert.task() + ", or GET " + output
                        + "), mend the cause, run it again (rowlock job run " + name + ", or POST " + job + "/run)";
            case NOT_STARTED_BY, NOT_FINISHED_BY, AT_RISK ->
                "ask why: rowlock job why " + name + ", or GET " + job + "/explain";
            case TOO_LONG ->
                "follow the output (rowlock task logs -f " + alert.task() + ", or GET " + output
                        + "?follow=true), or stop it (rowlock task kill " + alert.task() + ", or POST /api/v1/tasks/"
                        + alert.task() + "/kill)";
            case TOO_SHORT -> "check that it did its work: rowlock task logs " + alert.task() + ", or GET " + output;
            case NODE_LOST -> "look after the host; its tasks run elsewhere where the jobs allow it";
            case DATABASE_AWAY -> "look at the database's log; what was due meanwhile is recorded";
            case VERIFICATION_FAILED -> "run rowlock verify --verbose and report what it says";
            case TOKEN_EXPIRING -> "make a new token, hand it out, and delete this one";
            case RECOVERED -> "";
        };
    }

    /** Returns a link to the page, which asks for a sign-in if needed and then goes on there. */
    private @Nullable String link(RaisedAlert alert, @Nullable Long task) {
        if (publicUrl == null) {
            return null;
        }
        return publicUrl
                + (task != null ? "/#/tasks/" + task : alert.job() != null ? "/#/jobs/" + alert.job() : "/#/alerts");
    }

    private static @Nullable String text(JsonNode detail, String field) {
        JsonNode value = detail.get(field);
        return value == null || value.isNull() ? null : value.asText();
    }

    private static @Nullable Instant instant(ObjectNode detail, String field) {
        String text = text(detail, field);
        return text == null ? null : Instant.parse(text);
    }

    /** Returns the time in whole seconds. */
    private static @Nullable String time(@Nullable Instant t) {
        return t == null
                ? null
                : t.truncatedTo(java.time.temporal.ChronoUnit.SECONDS)
                        .toString()
                        .replace('T', ' ')
                        .replace("Z", " UTC");
    }

    private static String duration(ObjectNode detail, String field) {
        Duration d = Duration.ofMillis(detail.path(field).asLong());
        return Durations.format(d.toMillis() < 10_000 ? d : Duration.ofSeconds(d.toSeconds()));
    }

    private static String number(long n) {
        return String.format(Locale.ROOT, "%,d", n);
    }

    /** Returns the type of a condition for machines: {@code job.failed_in_a_row}. */
    public static String type(AlertCondition condition) {
        return (condition.isOfJobs() ? "job." : "cluster.")
                + Objects.requireNonNull(condition.name()).toLowerCase(Locale.ROOT);
    }
}
