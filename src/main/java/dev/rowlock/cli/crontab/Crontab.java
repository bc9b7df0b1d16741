package dev.rowlock.cli.crontab;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.imports.Draft;
import dev.rowlock.cli.imports.ImportText;
import dev.rowlock.cli.imports.Steps;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reader of one crontab, line by line. */
final class Crontab {

    private static final Pattern RANDOM = Pattern.compile("([0-9]{0,2})~([0-9]{0,2})((?: [^~]+){4})");
    private static final Pattern HOUSEKEEPING =
            Pattern.compile(".*\\brun-parts\\b.*/etc/cron\\.\\w+.*", Pattern.DOTALL);
    /** Flags of OpenBSD: no mail on success, nothing in the log, one at a time. */
    private static final Pattern FLAGS = Pattern.compile("((?:-[nqs]+\\s+)+)(?=\\S)");

    private static final Pattern AFTER_THE_LAST = Pattern.compile("@([0-9]{1,9})");
    private static final int LAST_MINUTE = 59;

    private final CrontabImport how;
    private final boolean withUser;
    private final @Nullable String owner;
    private final ImportText to;
    private final Variables variables;
    private List<String> above = new ArrayList<>();
    private int entries;
    private int users;

    /**
     * @param withUser whether there is a column for it, as in {@code /etc/crontab}
     * @param owner whose crontab it is; null: it is not known
     */
    Crontab(CrontabImport how, boolean withUser, @Nullable String owner, ImportText to) {
        this.how = how;
        this.withUser = withUser;
        this.owner = owner;
        this.to = to;
        this.variables = new Variables(how.zone());
    }

    /** Answers whether each command begins with a user. */
    boolean read(String text) {
        int number = 0;
        for (String line : text.replaceFirst("^\ufeff", "").split("\r?\n", -1)) {
            number++;
            if (line.isBlank()) {
                flush();
            } else if (line.strip().startsWith("#")) {
                above.add(line.strip().replaceFirst("^#+\\s?", ""));
            } else {
                read(line, number);
            }
        }
        flush();
        return !withUser && entries > 0 && users == entries;
    }

    /** Writes the comments that stand by themselves. */
    private void flush() {
        if (!above.isEmpty()) {
            to.say(above);
            above = new ArrayList<>();
        }
    }

    private void read(String text, int number) {
        Line.Variable variable = Line.variable(text);
        if (variable != null) {
            flush();
            String remark = variables.set(variable.name(), variable.value());
            if (remark != null) {
                to.say(List.of("line " + number + ": " + text.strip(), remark));
            }
            return;
        }
        above.add("line " + number + ": " + text.strip().replaceAll("\\s+", " "));
        Draft draft = new Draft(above);
        above = new ArrayList<>();
        to.add(draft);
        Line line = Line.of(text, withUser);
        if (text.indexOf('\ufffd') >= 0) {
            draft.lose("it is no text in UTF-8: convert the file, as with iconv -f latin1 -t utf-8");
        } else if (line == null) {
            draft.lose("it has too few fields for " + (withUser ? "the format with a user" : "a crontab"));
        } else {
            add(line, draft, number);
        }
    }

    private void add(Line line, Draft draft, int number) {
        String first = line.command().split("\\s", 2)[0];
        entries++;
        users += how.isUser().test(first) ? 1 : 0;
        String longer = line.longer();
        if (longer != null) {
            boolean hasYear = longer.split(" ", -1).length > 6;
            draft.lose((hasYear ? "seven fields, seconds first: " : "six fields: ") + longer
                    + "; cron takes five, and the rest for a command");
            return;
        }
        if (line.schedule().equals("@every")) {
            draft.lose("cron knows no @every; as a schedule of a job, write " + line.schedule() + " " + first
                    + ", and the rest as its command");
            return;
        }
        if (line.schedule().equals("@reboot")) {
            draft.lose("a cluster has no single start; use a systemd unit of the host (WantedBy=multi-user.target)");
            return;
        }
        Matcher flags = FLAGS.matcher(line.rest());
        Line meant = line;
        if (flags.lookingAt()) {
            meant = new Line(line.schedule(), line.user(), line.rest().substring(flags.end()));
            draft.remark("the flags " + flags.group(1).strip() + " are left out: they are about mail, the log, and runs"
                    + " at once, of which overlap says what becomes");
        }
        how(draft.job(), meant, draft, number);
    }

    private void how(ObjectNode job, Line line, Draft draft, int number) {
        to.names().of(draft, line.command(), number);
        draft.isPart(line.command());
        schedule(line.schedule(), draft);
        job.put("command", line.command());
        if (line.input() != null && !line.input().isEmpty()) {
            job.put("stdin", line.input());
        }
        user(line, draft);
        if (how.likeCron()) {
            job.put("overlap", "ALLOW").put("misfire", "SKIP").put("onLost", "FAIL");
        }
        if (line.isCut()) {
            draft.remark("cron cuts the command at the first % without a backslash, and this does the same; the text"
                    + " was hardly meant so: take it from the line, and drop stdin");
        }
        if (HOUSEKEEPING.matcher(line.command()).matches()) {
            job.put("broadcast", true);
            draft.remark("cron does this on every host, and so does broadcast; a job for each script has a history of"
                    + " its own");
        }
    }

    private void user(Line line, Draft draft) {
        String user = withUser ? line.user() : owner;
        if (user == null) {
            if (line.command().matches("(?s)root\\s.*")) {
                draft.remark("if root is the user that runs it, import with --user-column");
            }
            return;
        }
        String[] parts = user.split("[:/]", 2); // of FreeBSD: with its group and its class
        draft.job().put("user", parts[0]);
        if (parts.length > 1) {
            draft.remark("runs with the groups of " + parts[0] + ": " + user.substring(parts[0].length()) + " is left"
                    + " out");
        }
        if (!how.isUser().test(parts[0])) {
            draft.remarkOnce("this machine has no user " + parts[0] + ": each node that is to run it needs one");
        }
    }

    private void schedule(String said, Draft draft) {
        ObjectNode job = draft.job();
        Matcher after = AFTER_THE_LAST.matcher(said);
        job.put("schedule", said);
        variables.addTo(job);
        if (variables.zoneDoubt() != null) {
            draft.remark(variables.zoneDoubt());
        }
        if (after.matches()) {
            draft.lose("it runs " + after.group(1) + " s after the end of the last run; a schedule of a job counts from"
                    + " fire time to fire time: @every " + after.group(1) + "s");
            return;
        }
        spread(job, draft);
        Days days = Days.of(
                said.equals("@every_minute")
                        ? "* * * * *"
                        : job.path("schedule").asText());
        if (days.remark() != null) {
            draft.remark(days.remark());
        }
        if (days.lost() != null) {
            draft.lose(days.lost());
        }
        if (said.matches(".*(?:[LW#?]).*") && !said.startsWith("@") && !said.matches(".*[A-Za-z]{3}.*")) {
            draft.remark("cron itself knows no L, W, # and ?, and has never run this line");
        }
        draft.schedule(Steps.within(days.schedule(), draft), variables.zone());
    }

    /** Spreads {@code 0~30 3 * * *}, as cronie has it: at some minute of these. */
    private static void spread(ObjectNode job, Draft draft) {
        Matcher random = RANDOM.matcher(job.path("schedule").asText());
        if (!random.matches()) {
            return;
        }
        int from = random.group(1).isEmpty() ? 0 : Integer.parseInt(random.group(1));
        int to = random.group(2).isEmpty() ? LAST_MINUTE : Integer.parseInt(random.group(2));
        if (from < to) {
            job.put("schedule", from + random.group(3));
            job.put("jitter", (to - from) + "m");
            draft.remark("the minute is chosen by jitter, the same each time");
        }
    }
}
