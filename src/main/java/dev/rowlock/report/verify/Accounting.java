package dev.rowlock.report.verify;

import static java.util.stream.Collectors.groupingBy;

import dev.rowlock.definition.JobKey;
import dev.rowlock.report.count.ClusterHealth.Verification;
import dev.rowlock.report.verify.AccountingQueries.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Proof that no fire time is lost or doubled: what the schedules of a job asked for, through all edits, pauses and its
 * deletion, is in history or is a live task, each once. Reads small parts one after the other, each as of one moment,
 * and takes no lock, so that it can run on a busy cluster.
 */
public final class Accounting {

    private static final Comparator<AccountingEntry> IN_ORDER = Comparator.comparing(AccountingEntry::fireTime)
            .thenComparing(AccountingEntry::live)
            .thenComparing(AccountingEntry::id);

    private final AccountingQueries queries;
    private final Duration retention;
    private final AccountingLimits limits;

    /**
     * @param jobs checked together
     * @param rows of history read at a time
     * @param discrepancies listed of one job
     */
    public record AccountingLimits(int jobs, int rows, int discrepancies) {

        public static final AccountingLimits DEFAULT = new AccountingLimits(200, 10_000, 100);
    }

    /** @param retention how long history is kept; zero: for ever. What is older is not checked. */
    public Accounting(AccountingQueries queries, Duration retention, AccountingLimits limits) {
        this.queries = queries;
        this.retention = retention;
        this.limits = limits;
    }

    /**
     * Scope of a check.
     *
     * @param since no fire time before it; null: as far back as history is kept
     * @param until no fire time after it; null: all that there are
     * @param job null: all
     */
    public record AccountingScope(
            @Nullable Instant since,
            @Nullable Instant until,
            @Nullable JobKey job) {

        Instant end() {
            return until == null || until.isAfter(AccountingSheet.FOREVER) ? AccountingSheet.FOREVER : until;
        }
    }

    /** Returns the database's time. */
    public Instant now() {
        return queries.snapshot(Snapshot::now);
    }

    /** Checks all jobs in scope, one after the other, and reports every one to {@code each}. */
    public void check(AccountingScope scope, Consumer<AccountingResult> each) {
        Instant since = queries.snapshot(seen -> since(scope, seen));
        long after = 0;
        while (true) {
            List<Long> jobs = queries.jobs(scope.job(), since, after, limits.jobs());
            if (jobs.isEmpty()) {
                return;
            }
            check(jobs, scope, each);
            after = jobs.get(jobs.size() - 1);
        }
    }

    /**
     * Records what {@link #check} found of all jobs, so that others can see when it was last done.
     *
     * @param wrong jobs that do not add up
     */
    public void note(AccountingScope scope, long jobs, long wrong, long fireTimes) {
        queries.note(new Verification(now(), scope.since(), scope.until(), jobs, wrong, fireTimes));
    }

    private void check(List<Long> jobs, AccountingScope scope, Consumer<AccountingResult> each) {
        if (jobs.size() == 1) {
            AccountingResult account = alone(jobs.get(0), scope);
            each.accept(account.addsUp() ? account : alone(jobs.get(0), scope));
            return;
        }
        Optional<List<AccountingResult>> accounts = together(jobs, scope);
        if (accounts.isEmpty()) {
            check(jobs.subList(0, jobs.size() / 2), scope, each);
            check(jobs.subList(jobs.size() / 2, jobs.size()), scope, each);
            return;
        }
        for (AccountingResult account : accounts.get()) {
            // What seems wrong gets a second seen.
            each.accept(account.addsUp() ? account : alone(account.jobId(), scope));
        }
    }

    /** Checks jobs together; returns empty if they have more rows than are read at a time. */
    private Optional<List<AccountingResult>> together(List<Long> jobs, AccountingScope scope) {
        return queries.snapshot(seen -> {
            Instant since = since(scope, seen);
            Map<Long, List<JobVersion>> versions = new LinkedHashMap<>();
            seen.versions(jobs)
                    .forEach(v -> versions.computeIfAbsent(v.jobId(), id -> new ArrayList<>())
                            .add(v));
            List<JobVersion> newest =
                    versions.values().stream().map(v -> v.get(v.size() - 1)).toList();
            List<AccountingEntry> rows = new ArrayList<>(seen.history(newest, since, scope.end(), limits.rows()));
            if (rows.size() == limits.rows()) {
                return Optional.empty();
            }
            seen.live(jobs).stream()
                    .filter(e -> isWithin(e, since, scope.end()))
                    .forEach(rows::add);
            rows.sort(IN_ORDER);
            Map<Long, List<AccountingEntry>> byJob = rows.stream().collect(groupingBy(AccountingEntry::jobId));
            List<AccountingResult> accounts = new ArrayList<>();
            versions.forEach((job, all) -> {
                AccountingSheet sheet = sheet(all, since, scope, (t, at) -> seen.covering(all.get(0), t, at));
                sheet.add(byJob.getOrDefault(job, List.of()));
                accounts.add(sheet.close());
            });
            return Optional.of(accounts);
        });
    }

    /** Checks one job, page by page, each as of one moment. */
    private AccountingResult alone(long job, AccountingScope scope) {
        ReadingProgress page = queries.snapshot(seen -> read(seen, job, scope, null));
        while (page.account() == null) {
            ReadingProgress before = page;
            page = queries.snapshot(seen -> read(seen, job, scope, before));
        }
        return page.account();
    }

    /**
     * Progress in reading a job.
     *
     * @param through all rows up to this fire time were read, those of it up to {@code lastId}
     * @param account after the last page
     */
    private record ReadingProgress(
            AccountingSheet sheet,
            Instant since,
            Instant through,
            long lastId,
            @Nullable AccountingResult account) {}

    private ReadingProgress read(Snapshot seen, long job, AccountingScope scope, @Nullable ReadingProgress before) {
        List<JobVersion> versions = seen.versions(List.of(job));
        JobVersion any = versions.get(0);
        BiFunction<Instant, Instant, Optional<AccountingEntry>> reachingIn = (t, at) -> seen.covering(any, t, at);
        Instant since = before == null ? since(scope, seen) : before.since();
        AccountingSheet sheet = before == null ? sheet(versions, since, scope, reachingIn) : before.sheet();
        sheet.goOn(versions, reachingIn);
        Instant from = before == null ? since : before.through();
        long after = before == null ? 0 : before.lastId();
        List<AccountingEntry> rows = new ArrayList<>(seen.page(any, from, after, scope.end(), limits.rows()));
        AccountingEntry end = rows.size() < limits.rows() ? null : rows.get(rows.size() - 1);
        Instant through = end == null ? scope.end() : end.fireTime();
        seen.live(List.of(job)).stream()
                .filter(e -> isWithin(e, since, through)
                        && (before == null || e.fireTime().isAfter(from)))
                .forEach(rows::add);
        rows.sort(IN_ORDER);
        sheet.add(rows);
        return new ReadingProgress(
                sheet, since, through, end == null ? 0 : end.id(), end == null ? sheet.close() : null);
    }

    private AccountingSheet sheet(
            List<JobVersion> versions,
            Instant since,
            AccountingScope scope,
            BiFunction<Instant, Instant, Optional<AccountingEntry>> reachingIn) {
        return new AccountingSheet(versions, since, scope.end(), reachingIn, limits.discrepancies());
    }

    /**
     * Returns whether an entry is within the checked period. So is any cursor: that of a paused job stays where it was,
     * perhaps before the period, and nothing is asked for after it.
     */
    private static boolean isWithin(AccountingEntry entry, Instant since, Instant through) {
        return (entry.cursor() || !entry.fireTime().isBefore(since))
                && !entry.fireTime().isAfter(through);
    }

    /**
     * Returns the beginning of the period. Nodes may keep history for another time than configured here: what they have
     * purged is not asked for.
     */
    private Instant since(AccountingScope scope, Snapshot seen) {
        Instant asked = scope.since() == null ? Instant.EPOCH : scope.since();
        Instant kept = retention.isZero() ? Instant.EPOCH : seen.now().minus(retention);
        return Stream.of(asked, kept, seen.purged()).max(Instant::compareTo).orElseThrow();
    }
}
