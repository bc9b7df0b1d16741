package dev.rowlock.cli.crontab;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.imports.Draft;
import dev.rowlock.cli.imports.Imported;
import dev.rowlock.cli.imports.JobNames;
import dev.rowlock.cli.output.Trees;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads one crontab, line by line. */
final class Crontab {

    private static final String NOT_CARRIED = "not carried over: ";
    private static final Pattern RANDOM = Pattern.compile("([0-9]{0,2})~([0-9]{0,2})((?: [^~]+){4})");
    private static final Pattern HOUSEKEEPING =
            Pattern.compile(".*\\brun-parts\\b.*/etc/cron\\.\\w+.*", Pattern.DOTALL);
    private static final int LAST_MINUTE = 59;

    private final boolean withUser;
    private final @Nullable String owner;
    private final JobNames names;
    private final Variables variables;
    private final List<Imported> items = new ArrayList<>();
    private List<String> above = new ArrayList<>();

    /**
     * @param withUser whether there is a column for it, as in {@code /etc/crontab}
     * @param owner whose crontab it is; null: it is not known
     * @param zone of the host
     * @param names those that are taken
     */
    Crontab(boolean withUser, @Nullable String owner, ZoneId zone, JobNames names) {
        this.withUser = withUser;
        this.owner = owner;
        this.names = names;
        this.variables = new Variables(zone.getId());
    }

    List<Imported> read(String text) {
        int number = 0;
        for (String line : text.split("\r?\n", -1)) {
            number++;
            if (line.isBlank()) {
                flush();
            } else if (line.strip().startsWith("#")) {
                above.add(line.strip().replaceFirst("^#+ ?", ""));
            } else {
                read(line, number);
            }
        }
        flush();
        return items;
    }

    /** Comments that stand by themselves stay that. */
    private void flush() {
        if (!above.isEmpty()) {
            items.add(new Imported(above, null, false));
            above = new ArrayList<>();
        }
    }

    private void read(String text, int number) {
        Line.Variable variable = Line.variable(text);
        if (variable != null) {
            flush();
            String remark = variables.set(variable.name(), variable.value());
            if (remark != null) {
                items.add(new Imported(List.of("line " + number + ": " + text.strip(), remark), null, false));
            }
            return;
        }
        List<String> comments = above;
        above = new ArrayList<>();
        comments.add("line " + number + ": " + text.strip().replaceAll("\\s+", " "));
        Line line = Line.of(text, withUser);
        if (line == null) {
            lose(comments, "it has too few fields for " + (withUser ? "the format with a user" : "a crontab"));
        } else {
            add(line, comments, number);
        }
    }

    private void add(Line line, List<String> comments, int number) {
        if (line.schedule().equals("@reboot")) {
            lose(
                    comments,
                    "a cluster has no single start; use a systemd unit of the host (WantedBy=multi-user.target)");
            return;
        }
        ObjectNode job = Trees.object();
        job.put("name", names.of(line.command(), number));
        job.put("schedule", line.schedule());
        variables.addTo(job);
        spread(job, comments);
        String problem = problem(job.path("schedule").asText());
        if (problem != null) {
            lose(comments, problem);
            return;
        }
        job.put("command", line.command());
        if (line.input() != null && !line.input().isEmpty()) {
            job.put("stdin", line.input());
        }
        String user = withUser ? line.user() : owner;
        if (user != null) {
            job.put("user", user);
        }
        addRemarks(line, user, comments);
        if (HOUSEKEEPING.matcher(line.command()).matches()) {
            job.put("broadcast", true);
            comments.add(
                    "cron does this on every host, and so does broadcast; a job for each script has a history of its"
                            + " own");
        }
        items.add(new Imported(comments, job, false));
    }

    private void addRemarks(Line line, @Nullable String user, List<String> comments) {
        if (variables.zoneDoubt() != null) {
            comments.add(variables.zoneDoubt());
        }
        if (user == null && line.command().matches("(?s)root\\s.*")) {
            comments.add("if root is the user that runs it, import with --user-column");
        }
        String days = Days.remark(line.schedule());
        if (days != null) {
            comments.add(days);
        }
    }

    /** {@code 0~30 3 * * *}, as cronie has it: at some minute of these. */
    private static void spread(ObjectNode job, List<String> comments) {
        Matcher random = RANDOM.matcher(job.path("schedule").asText());
        if (!random.matches()) {
            return;
        }
        int from = random.group(1).isEmpty() ? 0 : Integer.parseInt(random.group(1));
        int to = random.group(2).isEmpty() ? LAST_MINUTE : Integer.parseInt(random.group(2));
        if (from < to) {
            job.put("schedule", from + random.group(3));
            job.put("jitter", (to - from) + "m");
            comments.add("the minute is chosen by jitter, the same each time");
        }
    }

    private @Nullable String problem(String schedule) {
        String other = Days.otherMeaning(schedule);
        if (other != null) {
            return other;
        }
        return Draft.problem(schedule, variables.zone());
    }

    private void lose(List<String> comments, String why) {
        comments.add(NOT_CARRIED + why);
        items.add(new Imported(comments, null, true));
    }
}
