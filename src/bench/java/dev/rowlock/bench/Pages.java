package dev.rowlock.bench;

import com.google.gson.JsonObject;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.RequestOptions;
import dev.rowlock.db.schema.Migrations;
import dev.rowlock.db.Servers;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The web page in a browser, before many jobs and a long history: how soon it can be used, how soon a keystroke in the search is answered, what
 * many open pages ask of the database, and what one that is kept open keeps.
 */
final class Pages {

    private static final List<String> FLAGS = List.of("--no-sandbox", "--disable-gpu", "--disable-background-networking");
    /** Tells when a part of the page is first there, and when a list of jobs has been answered and drawn. */
    private static final String WATCH = """
            window.first = {};
            new MutationObserver(() => {
              for (const what of ['.figures', '.list-row']) {
                if (!(what in first) && document.querySelector(what)) { first[what] = performance.now(); }
              }
            }).observe(document, { childList: true, subtree: true });
            const real = window.fetch;
            window.fetch = async (...sent) => {
              const answer = await real(...sent);
              const q = new URL(sent[0], location.href).searchParams.get('q');
              if (String(sent[0]).includes('/jobs?') && answer.ok) {
                requestAnimationFrame(() => setTimeout(() => window.drawn?.(q)));
              }
              return answer;
            };
            """;
    private static final String NEXT_LIST = """
            wanted => { window.answered = new Promise(done => {
              let typed = 0;
              addEventListener('input', () => { typed = performance.now(); }, { once: true, capture: true });
              window.drawn = q => q === wanted && done(performance.now() - typed);
            }); }
            """;

    private final Server server;
    private final Report report;
    private final int jobs;
    private final int pages;
    private final int fires;
    private final int seconds;
    private final int watched;
    private final Answers answers;

    Pages(Server server, Options options, Report report) {
        this.server = server;
        this.report = report;
        pages = options.number("pages", 50);
        fires = options.number("fires", 10);
        seconds = options.seconds("seconds", 60);
        watched = options.seconds("watch", 600);
        answers = new Answers(server, options, report);
        jobs = options.number("jobs", 100_000);
    }

    void run() throws Exception {
        report.note(jobs + " jobs, " + fires + " fires a second; Chromium on the same machine");
        try (Schema schema = server.schema();
                Playwright playwright = Playwright.create(
                        new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")))) {
            Migrations.run(new Servers(schema.address));
            answers.fill(schema, Starts.now().truncatedTo(ChronoUnit.SECONDS));
            try (Daemon node = new Daemon(schema, "node-a", Map.of("ROWLOCK_HISTORY_RETENTION", "0"));
                    Browser browser = playwright
                            .chromium()
                            .launch(new BrowserType.LaunchOptions()
                                    .setExecutablePath(Path.of("/usr/bin/chromium"))
                                    .setArgs(FLAGS))) {
                node.awaitReady();
                busy(node);
                firstView(browser, node, "#/overview", ".figures");
                firstView(browser, node, "#/jobs", ".list-row");
                keystrokes(browser, node);
                open(node);
                memory(browser, node);
            }
        }
    }

    /** So many jobs that fire every second. */
    private void busy(Daemon node) throws Exception {
        for (int i = 1; i <= fires; i++) {
            node.ok(node.request("/api/v1/jobs/default/busy-" + i)
                    .header("Content-Type", "application/json")
                    .PUT(BodyPublishers.ofString("{\"schedule\": \"* * * * * *\", \"command\": \"true\"}"))
                    .build());
        }
    }

    private static BrowserContext signedIn(Browser browser, Daemon node) {
        BrowserContext context = browser.newContext(new Browser.NewContextOptions().setViewportSize(1280, 860));
        JsonObject body = new JsonObject();
        body.addProperty("token", Daemon.TOKEN);
        var answer = context.request()
                .post(node.url("/api/v1/session"), RequestOptions.create().setData(body));
        if (!answer.ok()) {
            throw new IllegalStateException("nobody can sign in: " + answer.text());
        }
        context.addInitScript(WATCH);
        return context;
    }

    /** By somebody who has never been there: nothing of the page is in the browser's cache. */
    private void firstView(Browser browser, Daemon node, String view, String what) {
        int[] micros = new int[10];
        for (int i = -1; i < micros.length; i++) {
            try (BrowserContext context = signedIn(browser, node)) {
                Page page = context.newPage();
                page.navigate(node.url("/" + view));
                page.waitForFunction("what => first[what]", what);
                if (i >= 0) {
                    micros[i] = (int) (1000 * ((Number) page.evaluate("what => first[what]", what)).doubleValue());
                }
            }
        }
        report.add("first view, " + view, Latencies.line(micros, 0));
    }

    /** From the key to the list that is drawn, with what the page waits for further keys. */
    private void keystrokes(Browser browser, Daemon node) {
        List<Integer> micros = new ArrayList<>();
        try (BrowserContext context = signedIn(browser, node)) {
            Page page = context.newPage();
            page.navigate(node.url("/#/jobs"));
            page.locator(".list-row").first().waitFor();
            for (String word : List.of("warms up", "job-4242", "job-99999", "what job 77", "words", "nothing-like-it", "job-10", "few")) {
                page.locator("[data-search]").fill("");
                for (int i = 1; i <= word.length(); i++) {
                    if (word.charAt(i - 1) == ' ') {
                        page.keyboard().type(" "); // a blank alone asks for nothing else
                        continue;
                    }
                    page.evaluate(NEXT_LIST, word.substring(0, i));
                    page.keyboard().type(word.substring(i - 1, i));
                    double millis = ((Number) page.evaluate("() => answered")).doubleValue();
                    if (!word.startsWith("warms")) {
                        micros.add((int) (millis * 1000));
                    }
                }
            }
        }
        int[] all = micros.stream().mapToInt(Integer::intValue).sorted().toArray();
        report.add("a keystroke in the search", Latencies.line(all, 0).with("p95_ms", Starts.percentile(all, 0.95)));
    }

    /** In statements, without what the node and its fires take by themselves. */
    private void open(Daemon node) throws Exception {
        Idle.rest(10);
        Cost before = server.cost();
        Idle.rest(seconds);
        double alone = (server.cost().since(before).statements() - 3) / seconds;
        try (OpenPages open = new OpenPages(node, pages, "busy-1")) {
            Idle.rest(20);
            before = server.cost();
            Idle.rest(seconds);
            double with = (server.cost().since(before).statements() - 3) / seconds;
            report.add(
                    pages + " open pages",
                    Line.of("statements_per_s_without", alone)
                            .with("statements_per_s_with", with)
                            .with("for_the_pages", with - alone)
                            .with("answers", open.answers.get())
                            .with("events", open.events.get())
                            .with("failed", open.failed.get()));
        }
    }

    /** What is left after the garbage is collected: right after pages were opened side by side, and after so long. */
    private void memory(Browser browser, Daemon node) {
        Map<String, CDPSession> sessions = new LinkedHashMap<>();
        List<Page> open = new ArrayList<>();
        for (String view : List.of("#/jobs", "#/overview", "#/jobs/default/busy-1")) {
            BrowserContext context = signedIn(browser, node);
            Page page = context.newPage();
            page.navigate(node.url("/" + view));
            open.add(page);
            sessions.put(view, context.newCDPSession(page));
        }
        Idle.rest(30);
        Map<String, Line> lines = new LinkedHashMap<>();
        sessions.forEach((view, session) -> lines.put(view, heap(session, "before", Line.of("seconds", watched))));
        Instant until = Starts.now().plusSeconds(watched);
        while (Starts.now().isBefore(until)) {
            open.forEach(page -> page.waitForTimeout(300)); // Playwright works while somebody waits
        }
        sessions.forEach((view, session) -> report.add(
                "kept open, " + view,
                heap(session, "after", lines.get(view)).with("events", (long) fires * 2 * watched)));
        open.forEach(page -> page.context().close());
    }

    private static Line heap(CDPSession session, String when, Line line) {
        session.send("Performance.enable");
        session.send("HeapProfiler.enable");
        session.send("HeapProfiler.collectGarbage");
        session.send("HeapProfiler.collectGarbage");
        for (var one : session.send("Performance.getMetrics").getAsJsonArray("metrics")) {
            String name = one.getAsJsonObject().get("name").getAsString();
            double value = one.getAsJsonObject().get("value").getAsDouble();
            switch (name) {
                case "JSHeapUsedSize" -> line.with("heap_kib_" + when, value / 1024);
                case "Nodes" -> line.with("nodes_" + when, value);
                case "JSEventListeners" -> line.with("listeners_" + when, value);
                default -> { }
            }
        }
        return line;
    }
}
