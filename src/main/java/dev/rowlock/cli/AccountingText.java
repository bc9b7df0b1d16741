package dev.rowlock.cli;

import static dev.rowlock.cli.VerifyCommand.number;

import dev.rowlock.field.Times;
import dev.rowlock.report.verify.AccountingEntry;
import dev.rowlock.report.verify.AccountingResult;
import dev.rowlock.report.verify.Discrepancy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Text of {@code verify} about one job. */
record AccountingText(AccountingResult account) {

    /** Returns the numbers on one line. */
    String line() {
        return title() + ": " + number(account.recorded()) + " in history, " + number(account.live()) + " live, "
                + number(account.overtaken()) + " cancelled ahead of their time";
    }

    /** Returns the lines with everything that is wrong. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        if (account.unreadable() != null) {
            lines.add(title() + ": cannot be judged: " + account.unreadable());
            return lines;
        }
        lines.add(title() + ": does NOT add up");
        for (Discrepancy discrepancy : account.discrepancies()) {
            lines.add("  " + time(discrepancy) + ": " + what(discrepancy));
            neighbours(discrepancy).forEach(n -> lines.add("      " + n));
        }
        if (account.unlisted() > 0) {
            lines.add("  and " + number(account.unlisted()) + " more");
        }
        lines.add("  look at: " + query());
        return lines;
    }

    private String title() {
        return account.key() + " (job " + account.jobId() + (account.deleted() ? ", deleted)" : ")");
    }

    private static String time(Discrepancy d) {
        return d.first().equals(d.last())
                ? Times.text(d.first())
                : Times.text(d.first()) + " to " + Times.text(d.last());
    }

    private static String what(Discrepancy d) {
        return switch (d.kind()) {
            case MISSING ->
                (d.count() == 1 ? "missing" : number(d.count()) + " fire times missing")
                        + ": asked for, but neither in history nor a live task";
            case DOUBLE -> "double: more than one row stands for it";
            case NOT_ASKED_FOR -> "not asked for by the schedule of that time";
            case MISCOUNTED ->
                "miscounted: the row says " + number(occurrences(d)) + ", the schedule asked for " + number(d.count());
            case BROKEN_LINK -> "the chain is broken: " + link(d);
            case NO_CURSOR -> "nothing will fire from here on: no live task has the cursor";
            case BEYOND_CURSOR -> "lies beyond the cursor, which will make it once more";
            case WITHOUT_REASON -> "did not run, and the row does not say why";
        };
    }

    private static long occurrences(Discrepancy d) {
        return d.found() == null ? 0 : d.found().occurrences();
    }

    private static String link(Discrepancy d) {
        return d.found() != null && d.found().nextFireTime() == null
                ? "a row names no next fire time, but its schedule had this one"
                : "a row names this as the next fire time, but it has no row";
    }

    private static List<String> neighbours(Discrepancy d) {
        List<String> lines = new ArrayList<>();
        switch (d.kind()) {
            case MISSING, NO_CURSOR -> {
                lines.add("before: " + row(d.before()));
                lines.add("after:  " + row(d.found()));
            }
            case DOUBLE -> {
                lines.add("one:     " + row(d.before()));
                lines.add("another: " + row(d.found()));
            }
            default -> lines.add("row: " + row(d.found()));
        }
        return lines;
    }

    private static String row(@Nullable AccountingEntry e) {
        if (e == null) {
            return "nothing";
        }
        String span = e.occurrences() == 1 && e.last().equals(e.fireTime())
                ? Times.text(e.fireTime())
                : number(e.occurrences()) + " fire times from " + Times.text(e.fireTime()) + " to "
                        + Times.text(e.last());
        return "task " + e.id() + ", " + span + ", " + (e.live() ? "live, " : "") + e.state()
                + (e.cursor() ? " with the cursor" : "")
                + ", version " + e.version()
                + (e.nextFireTime() == null ? "" : ", next " + Times.text(e.nextFireTime()));
    }

    private String query() {
        Instant first = account.discrepancies().stream()
                .map(Discrepancy::first)
                .min(Instant::compareTo)
                .orElse(Instant.EPOCH);
        Instant last = account.discrepancies().stream()
                .map(Discrepancy::last)
                .max(Instant::compareTo)
                .orElse(first);
        return "select * from task_history where namespace = '" + account.key().namespace() + "' and job = '"
                + account.key().name() + "' and fire_time between '" + sql(first.minusSeconds(3600)) + "' and '"
                + sql(last.plusSeconds(3600)) + "' order by fire_time; select * from task where job_id = "
                + account.jobId()
                + "; select * from job_next where job_id = "
                + account.jobId()
                + "; select * from job_version where job_id = " + account.jobId();
    }

    private static String sql(Instant t) {
        return Times.text(t).replace('T', ' ').replace("Z", "");
    }
}
