package dev.rowlock.cli;

import dev.rowlock.job.Times;
import dev.rowlock.verify.Accounting;
import dev.rowlock.verify.Accounting.Scope;
import dev.rowlock.verify.AccountingResult;
import java.io.PrintStream;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** {@code rowlock verify}: says whether every fire time is accounted for, and what is wrong if not. */
public final class VerifyCommand {

    /** Everything adds up. */
    public static final int ADDS_UP = 0;
    /** Something does not. */
    public static final int DOES_NOT_ADD_UP = 1;
    /** {@code EX_USAGE} of sysexits.h. */
    public static final int USAGE = 64;

    public static final String HELP = """
            usage: rowlock verify [--since WHEN] [--until WHEN] [--job NAMESPACE/NAME] [--verbose] [--config FILE] [--embedded]

            Proves that no fire time was lost or doubled: what the schedule of each job asked for, through all edits, pauses and its
            deletion, is in task_history or is a live task, each once, and with a reason if it did not run.
            Reads only, takes no locks, and may run beside a busy cluster.

            --since WHEN   from this time on: 2026-12-01T03:00:00Z, or how long ago, such as 2h or 7d; default: all history that is kept
            --until WHEN   up to this time; default: up to the live tasks that lie ahead
            --job          this job alone, deleted ones of that name included
            --verbose      a line for each job
            --config FILE  settings, as for the server: they say which database, and how long history is kept (history.retention)
            --embedded     the embedded database of data.dir; the default if there is no database.url

            exit code: 0 it adds up; 1 it does not, and the list says what; 64 not understood, or no such job; 69 the database is not
            there; 78 the settings are wrong
            """;

    private final Accounting conservation;
    private final PrintStream out;
    private final PrintStream err;
    private long jobs;
    private long deleted;
    private long wrong;
    private long recorded;
    private long live;
    private long overtaken;

    public VerifyCommand(Accounting conservation, PrintStream out, PrintStream err) {
        this.conservation = conservation;
        this.out = out;
        this.err = err;
    }

    /**
     * @return the exit code
     * @throws dev.rowlock.db.DatabaseUnavailable the database does not answer
     * @throws dev.rowlock.db.StatementProblem it is not Rowlock's, or may not be read
     */
    public int run(VerifyOptions options) {
        Instant now = conservation.now();
        Scope scope = options.scope(now);
        String wrongWindow = wrongWindow(scope, now);
        if (wrongWindow != null) {
            err.println("rowlock verify: " + wrongWindow);
            return USAGE;
        }
        conservation.check(scope, account -> tell(account, options.verbose()));
        if (jobs == 0 && scope.job() != null) {
            err.println("rowlock verify: there is no job " + scope.job() + ", and was none"
                    + (scope.since() == null ? "" : " since " + Times.text(scope.since())));
            return USAGE;
        }
        out.println(total());
        return wrong == 0 ? ADDS_UP : DOES_NOT_ADD_UP;
    }

    private static @Nullable String wrongWindow(Scope scope, Instant now) {
        if (scope.since() != null && scope.since().isAfter(now)) {
            return "--since lies in the future; it is " + Times.text(now) + " now, by the database's clock";
        }
        return scope.since() != null && scope.until() != null && scope.until().isBefore(scope.since())
                ? "--until (" + Times.text(scope.until()) + ") comes before --since (" + Times.text(scope.since()) + ")"
                : null;
    }

    private void tell(AccountingResult account, boolean verbose) {
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
