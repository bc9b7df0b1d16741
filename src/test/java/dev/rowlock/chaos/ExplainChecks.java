package dev.rowlock.chaos;

import dev.rowlock.chaos.Findings.Kind;
import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.Servers;
import dev.rowlock.support.ExplainedHistory;
import dev.rowlock.support.Rows;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Asks for an explanation of every row of history when all is over: it has to agree with each outcome, and name its
 * reason. Of samples, the fire times are asked about, too.
 */
final class ExplainChecks {

    private static final int BATCH = 500;
    private static final int THREADS = 2;
    private static final int MOST_NAMED = 50;

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
        Queue<String> wrong = new ConcurrentLinkedQueue<>();
        AtomicLong asked = new AtomicLong();
        try (Database pool = Database.pooled(new Servers(address), THREADS, Duration.ofSeconds(30))) {
            ExplainedHistory explained = new ExplainedHistory(rows, pool);
            all(rows, explained, wrong, asked);
            for (String outcome : OUTCOMES) {
                SAMPLES.forEach(
                        sample -> wrong.addAll(explained.disagreements("where outcome = '" + outcome + "' " + sample)));
            }
        }
        wrong.stream().distinct().limit(MOST_NAMED).forEach(what -> findings.add(Kind.UNEXPLAINED, what));
        findings.note("explain was asked about all " + asked + " rows of history, and about fire times of samples, in "
                + Duration.ofNanos(System.nanoTime() - beganNanos).toSeconds() + " s; " + wrong.size() + " disagree");
    }

    /** Batch by batch, by several threads. */
    private static void all(Rows rows, ExplainedHistory explained, Queue<String> wrong, AtomicLong asked) {
        AtomicLong last = new AtomicLong(Long.MIN_VALUE);
        IntStream.range(0, THREADS)
                .mapToObj(thread -> CompletableFuture.runAsync(
                        () -> {
                            List<Long> ids = next(rows, last);
                            for (; !ids.isEmpty(); ids = next(rows, last)) {
                                wrong.addAll(explained.ofTasks(
                                        "where id >= " + ids.get(0) + " and id <= " + ids.get(ids.size() - 1)));
                                asked.addAndGet(ids.size());
                            }
                        },
                        task -> new Thread(task, "explain-" + thread).start()))
                .toList()
                .forEach(CompletableFuture::join);
    }

    private static synchronized List<Long> next(Rows rows, AtomicLong last) {
        List<Long> ids =
                rows.all("select id from task_history where id > " + last + " order by id limit " + BATCH).stream()
                        .map(row -> Long.parseLong(String.valueOf(row.get("id"))))
                        .toList();
        if (!ids.isEmpty()) {
            last.set(ids.get(ids.size() - 1));
        }
        return ids;
    }
}
