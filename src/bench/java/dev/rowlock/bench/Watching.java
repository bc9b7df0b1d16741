package dev.rowlock.bench;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** What a watched node does besides its work: open pages, each with its events; metrics; an alert rule for all jobs. */
final class Watching implements AutoCloseable {

    private static final Set<String> ALL = Set.of("rule", "metrics", "events", "views");
    private static final int PAGES = 10;
    private static final int SCRAPE_SECONDS = 15;

    private final ScheduledExecutorService scraping = Executors.newSingleThreadScheduledExecutor();
    private final AtomicInteger failed = new AtomicInteger();
    private final OpenPages pages;

    Watching(Daemon node, Set<String> parts) throws Exception {
        pages = new OpenPages(node, PAGES, "job-1", parts.contains("events"), parts.contains("views"));
        if (parts.contains("metrics")) {
            scraping.scheduleAtFixedRate(() -> scrape(node), 0, SCRAPE_SECONDS, TimeUnit.SECONDS);
        }
    }

    /** @param option {@code no}, {@code yes} for all, or some of them, to find out what one costs */
    static Set<String> parts(String option) {
        return switch (option) {
            case "no" -> Set.of();
            case "yes" -> ALL;
            default -> {
                Set<String> parts = Set.of(option.split(","));
                if (!ALL.containsAll(parts)) {
                    throw new IllegalArgumentException("--watched takes yes, no or some of " + ALL + ", not " + option);
                }
                yield parts;
            }
        };
    }

    /** The rule, before there is a node. */
    static void insertRule(Schema schema) {
        schema.run("insert into alert_rule (name, definition, created_at, updated_at) values ('all', json_object("
                + "'when', json_array('FAILED', 'TOO_LONG'), 'warnAfter', '1m', 'channels', json_array('nobody')),"
                + " utc_timestamp(3), utc_timestamp(3))");
    }

    private void scrape(Daemon node) {
        try {
            node.ok(node.request("/metrics").GET().build());
        } catch (IOException | IllegalStateException e) {
            failed.incrementAndGet();
        }
    }

    /** Requests and streams that failed. */
    int failed() {
        return failed.get() + pages.failed.get();
    }

    @Override
    public void close() {
        scraping.shutdownNow();
        pages.close();
    }
}
