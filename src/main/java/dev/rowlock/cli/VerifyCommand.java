package dev.rowlock.cli;

import dev.rowlock.cli.call.CommandFailed;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cli.call.Needs;
import dev.rowlock.cli.call.SettingsOptions;
import dev.rowlock.cli.call.When;
import dev.rowlock.definition.JobKey;
import dev.rowlock.field.Times;
import dev.rowlock.report.verify.Accounting;
import dev.rowlock.report.verify.Accounting.AccountingScope;
import dev.rowlock.report.verify.AccountingResult;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code rowlock verify}: says whether every fire time is accounted for, and what is wrong if not. */
@Command(
        description = {
            "Proves that no fire time was lost or doubled.",
            "What the schedule of each job asked for, through all edits, pauses and its deletion, is in task_history"
                    + " or is a live task, each once, and with a reason if it did not run. Takes no locks, writes"
                    + " nothing but its verdict (for GET /api/v1/overview), and may run while the cluster is busy."
                    + " Without database.url it reads the embedded database."
        },
        exitCodeList = {
            ExitCode.DONE + ":it adds up",
            ExitCode.FAILED + ":it does not, and the list says what",
            ExitCode.USAGE + ":not understood, or no such job",
            ExitCode.UNAVAILABLE + ":the database is not there",
            ExitCode.CONFIGURATION + ":the settings are wrong"
        },
        footer = "rowlock verify --since 7d --job ops/backup")
final class VerifyCommand implements Callable<Integer> {

    private final Supplier<Needs> needs;
    private final PrintWriter out;

    @Option(
            names = "--since",
            paramLabel = "WHEN",
            description =
                    "From this time on: 2026-12-01, yesterday, '2026-12-01 03:00' (UTC), or how long ago, such as 2h or"
                            + " 7d; default: all history that is kept (history.retention).")
    private @Nullable When since;

    @Option(
            names = "--until",
            paramLabel = "WHEN",
            description = "Up to this time; default: up to the live tasks that lie ahead.")
    private @Nullable When until;

    @Option(
            names = "--job",
            paramLabel = "NAMESPACE/NAME",
            description = "This job alone, deleted ones of that name included.")
    private @Nullable JobKey job;

    @Option(names = "--verbose", arity = "0", description = "A line for each job.")
    private boolean verbose;

    @Mixin
    private final SettingsOptions settings = new SettingsOptions();

    private long jobs;
    private long deleted;
    private long wrong;
    private long recorded;
    private long live;
    private long overtaken;

    VerifyCommand(Supplier<Needs> needs, PrintWriter out) {
        this.needs = needs;
        this.out = out;
    }

    @Override
    public Integer call() {
        return needs.get().verify(settings, this::check);
    }

    private int check(Accounting accounting) {
        Instant now = accounting.now();
        AccountingScope scope =
                new AccountingScope(since == null ? null : since.at(now), until == null ? null : until.at(now), job);
        String wrongWindow = wrongWindow(scope, now);
        if (wrongWindow != null) {
            throw new CommandFailed(ExitCode.USAGE, wrongWindow);
        }
        accounting.check(scope, this::tell);
        if (jobs == 0 && scope.job() != null) {
            throw new CommandFailed(
                    ExitCode.USAGE,
                    "there is no job " + scope.job() + ", and was none"
                            + (scope.since() == null ? "" : " since " + Times.text(scope.since())));
        }
        out.println(total());
        if (scope.job() == null) {
            note(accounting, scope);
        }
        return wrong == 0 ? ExitCode.DONE : ExitCode.FAILED;
    }

    /** Records the result. The verdict stands without the record, as the caller may be allowed to read only. */
    private void note(Accounting accounting, AccountingScope scope) {
        try {
            accounting.note(scope, jobs, wrong, recorded + live);
        } catch (RuntimeException e) {
            out.println("The overview will not show this result, as it cannot be noted: " + e.getMessage());
        }
    }

    private static @Nullable String wrongWindow(AccountingScope scope, Instant now) {
        if (scope.since() != null && scope.since().isAfter(now)) {
            return "--since lies in the future; it is " + Times.text(now) + " now, by the database's clock";
        }
        return scope.since() != null && scope.until() != null && scope.until().isBefore(scope.since())
                ? "--until (" + Times.text(scope.until()) + ") comes before --since (" + Times.text(scope.since()) + ")"
                : null;
    }

    private void tell(AccountingResult account) {
        jobs++;
        deleted += account.deleted() ? 1 : 0;
        recorded += account.recorded();
        live += account.live();
        overtaken += account.overtaken();
        if (!account.addsUp()) {
            wrong++;
            new AccountingText(account).lines().forEach(out::println);
        } else if (verbose) {
            out.println(new AccountingText(account).line());
        }
    }

    private String total() {
        String verdict = wrong == 0
                ? recorded + live + overtaken == 0 ? "nothing was asked for" : "everything adds up"
                : number(wrong) + (wrong == 1 ? " job does" : " jobs do") + " NOT add up";
        return number(jobs) + (jobs == 1 ? " job" : " jobs")
                + (deleted == 0 ? "" : ", " + number(deleted) + " of them deleted")
                + ": " + number(recorded) + " fire times in history, " + number(live) + " live, and "
                + number(overtaken) + " cancelled ahead of their time by a change: " + verdict;
    }

    static String number(long n) {
        return String.format(Locale.ROOT, "%,d", n);
    }
}
