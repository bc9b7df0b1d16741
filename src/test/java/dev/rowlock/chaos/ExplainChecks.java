package dev.rowlock.chaos;

import dev.rowlock.chaos.Findings.Kind;
import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.Servers;
import dev.rowlock.support.ExplainedHistory;
import dev.rowlock.support.Rows;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Asks for an explanation of every row of the run's own history when all is over: it has to agree with each outcome,
 * and name its reason. Of samples, the fire times are asked about, too.
 */
final class ExplainChecks {

    private static final int BATCH = 500;
    private static final int THREADS = 2;
    private static final int MOST_NAMED = 50;

    /** What {@link Purging} makes is no task that anybody could explain. */
    private static final String OWN = "namespace = '" + Workload.NAMESPACE + "'";

    /** Of each outcome, the newest and the oldest. */
    private static final List<String> SAMPLES = List.of("order by id desc limit 100", "order by id limit 100");

    private static final List<String> OUTCOMES =
            List.of("SUCCEEDED", "FAILED", "TIMED_OUT", "KILLED", "LOST", "SKIPPED", "MISSED", "CANCELLED", "EXPANDED");

    private final ChaosDatabase database;
    private final Findings findings;

    ExplainChecks(ChaosDatabase database, Findings findings) {
        this.database = database;
        this.findings = findings;
    }

    void check() {
        DatabaseAddress address =
                new DatabaseAddress(database.directUrl(), database.nodeUser(), database.nodePassword());
        Rows rows = new Rows(database::admin);
        long beganNanos = System.nanoTime();
        Disagreements wrong = new Disagreements();
        AtomicLong asked = new AtomicLong();
        try (Database pool = Database.pooled(new Servers(address), THREADS, Duration.ofSeconds(30))) {
            ExplainedHistory explained = new ExplainedHistory(rows, pool);
            all(rows, explained, wrong, asked);
            for (String outcome : OUTCOMES) {
                SAMPLES.forEach(sample -> wrong.add(
                        explained.disagreements("where " + OWN + " and outcome = '" + outcome + "' " + sample)));
            }
        }
        wrong.named.forEach(what -> findings.add(Kind.UNEXPLAINED, what));
        findings.note("explain was asked about all " + asked + " rows of history, and about fire times of samples, in "
                + Duration.ofNanos(System.nanoTime() - beganNanos).toSeconds() + " s; " + wrong.count + " disagree");
    }

    /** How many rows are explained wrongly, and some of them: if they are many, memory has no room for all. */
    private static final class Disagreements {

        private final Set<String> named = new LinkedHashSet<>();
        private long count;

        synchronized void add(List<String> found) {
            count += found.size();
            found.stream().limit(MOST_NAMED - named.size()).forEach(named::add);
        }
    }

    /** Batch by batch, by several threads. */
    private static void all(Rows rows, ExplainedHistory explained, Disagreements wrong, AtomicLong asked) {
        AtomicLong last = new AtomicLong(Long.MIN_VALUE);
        IntStream.range(0, THREADS)
                .mapToObj(thread -> CompletableFuture.runAsync(
                        () -> {
                            List<Long> ids = next(rows, last);
                            for (; !ids.isEmpty(); ids = next(rows, last)) {
                                wrong.add(explained.ofTasks("where " + OWN + " and id >= " + ids.get(0) + " and id <= "
                                        + ids.get(ids.size() - 1)));
                                asked.addAndGet(ids.size());
                            }
                        },
                        task -> new Thread(task, "explain-" + thread).start()))
                .toList()
                .forEach(CompletableFuture::join);
    }

    private static synchronized List<Long> next(Rows rows, AtomicLong last) {
        List<Long> ids = rows
                .all("select id from task_history where " + OWN + " and id > " + last + " order by id limit " + BATCH)
                .stream()
                .map(row -> Long.parseLong(String.valueOf(row.get("id"))))
                .toList();
        if (!ids.isEmpty()) {
            last.set(ids.get(ids.size() - 1));
        }
        return ids;
    }
}
