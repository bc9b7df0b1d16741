package dev.rowlock.bench;

import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Asks for what so many open pages ask for while something happens all the time, each of somebody else who has signed in: a stream of events, and
 * what the page reads again as often as it may. Without browsers, of which many would need more than the machine has.
 */
final class OpenPages implements AutoCloseable {

    /** What a page reads again: the paths, and every how many seconds at most, as {@code ui/page} has it. */
    private record View(int every, List<String> paths) {}

    private static final List<View> VIEWS = List.of(
            new View(5, List.of("/overview")),
            new View(20, List.of("/jobs?recent=10&limit=60")),
            new View(5, List.of("/jobs/default/JOB", "/tasks?job=default%2FJOB&limit=60")),
            new View(5, List.of("/tasks?until=UNTIL&limit=100")),
            new View(5, List.of("/cluster", "/tasks?limit=500")));

    private final Daemon node;
    private final String job;
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(8);
    private final List<Thread> streams = new ArrayList<>();
    final AtomicInteger failed = new AtomicInteger();
    final AtomicLong events = new AtomicLong();
    final AtomicLong answers = new AtomicLong();

    OpenPages(Daemon node, int pages, String job) throws Exception {
        this(node, pages, job, true, true);
    }

    /** With their events, what they show, or both. */
    OpenPages(Daemon node, int pages, String job, boolean withEvents, boolean withViews) throws Exception {
        this.node = node;
        this.job = job;
        for (int i = 0; i < pages; i++) {
            HttpClient browser = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .cookieHandler(new CookieManager())
                    .build();
            browser.send(
                    request("/session")
                            .header("Content-Type", "application/json")
                            .POST(BodyPublishers.ofString("{\"token\": \"" + Daemon.TOKEN + "\"}"))
                            .build(),
                    BodyHandlers.discarding());
            if (withEvents) {
                Thread stream = new Thread(() -> follow(browser));
                stream.setDaemon(true);
                stream.start();
                streams.add(stream);
            }
            if (withViews) {
                View view = VIEWS.get(i % VIEWS.size());
                long phase = 1000L * view.every() * i / pages;
                threads.schedule(() -> read(browser, view), phase, TimeUnit.MILLISECONDS);
            }
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(node.url("/api/v1" + path)));
    }

    private void follow(HttpClient browser) {
        try {
            browser.send(request("/events").build(), BodyHandlers.ofLines())
                    .body()
                    .filter(line -> line.startsWith("event:"))
                    .forEach(line -> events.incrementAndGet());
        } catch (IOException e) {
            failed.incrementAndGet();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void read(HttpClient browser, View view) {
        for (String path : view.paths()) {
            Instant until = Instant.ofEpochSecond(Starts.now().getEpochSecond() + 1);
            String asked = path.replace("JOB", job).replace("UNTIL", until.toString());
            try {
                HttpResponse<Void> answer = browser.send(request(asked).build(), BodyHandlers.discarding());
                if (answer.statusCode() == 200) {
                    answers.incrementAndGet();
                } else {
                    failed.incrementAndGet();
                }
            } catch (IOException e) {
                failed.incrementAndGet();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
        threads.schedule(() -> read(browser, view), view.every(), TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        threads.shutdownNow();
        streams.forEach(Thread::interrupt);
    }
}
