package dev.rowlock.verify;

import dev.rowlock.job.AccountingEntry;
import dev.rowlock.store.job.JobVersion;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** One job being looked at: its versions, the rows as they are read, and what does not add up. */
final class AccountingReader {

    private final JobVersion newest;
    private final Instant since;
    private final int limit;
    private final List<Discrepancy> discrepancies = new ArrayList<>();
    private long unlisted;
    private @Nullable AccountingSheet ledger;
    private @Nullable String unreadable;

    /**
     * @param versions all of the job
     * @param limit how many discrepancies are kept
     */
    AccountingReader(
            List<JobVersion> versions,
            Instant since,
            Instant until,
            BiFunction<Instant, Instant, Optional<AccountingEntry>> reachingIn,
            int limit) {
        this.newest = versions.get(versions.size() - 1);
        this.since = since;
        this.limit = limit;
        try {
            ledger = new AccountingSheet(Timeline.of(versions), since, until, reachingIn, this::note);
        } catch (IllegalStateException e) {
            unreadable = e.getMessage();
        }
    }

    /** The versions as they are by now, and how earlier rows are to be asked for by now. */
    void goOn(List<JobVersion> versions, BiFunction<Instant, Instant, Optional<AccountingEntry>> reachingIn) {
        if (ledger != null) {
            ledger.goOn(Timeline.of(versions), reachingIn);
        }
    }

    /** The next rows, in order of fire time. */
    void add(List<AccountingEntry> entries) {
        if (ledger != null) {
            entries.forEach(ledger::add);
        }
    }

    /** There are no more rows. */
    AccountingResult close() {
        boolean deleted = newest.until() != null;
        if (ledger == null) {
            return new AccountingResult(
                    newest.jobId(), newest.key(), deleted, since, 0, 0, 0, List.of(), 0, unreadable);
        }
        ledger.close();
        return new AccountingResult(
                newest.jobId(),
                newest.key(),
                deleted,
                since,
                ledger.recorded(),
                ledger.live(),
                ledger.overtaken(),
                List.copyOf(discrepancies),
                unlisted,
                null);
    }

    private void note(Discrepancy discrepancy) {
        if (discrepancies.size() < limit) {
            discrepancies.add(discrepancy);
        } else {
            unlisted++;
        }
    }
}
