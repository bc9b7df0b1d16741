package dev.rowlock.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;
import dev.rowlock.nodes.Until;
import dev.rowlock.secret.KeyRing;
import dev.rowlock.support.FreePorts;
import dev.rowlock.support.NodeProcess;
import dev.rowlock.support.TcpRelay;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Debian's Chromium before a node with a fresh database, one of each for a class. Without a browser the tests are
 * skipped: {@code scripts/chromium} brings it. After each test it fails if the page wrote to the console, broke its
 * content policy, or asked another host for anything.
 */
final class Screen implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {

    static final Duration SOON = Duration.ofSeconds(60);

    private static final Path SHOTS = Path.of("target", "screenshots");
    private static final Path DOCUMENTS = Path.of("target", "html");
    private static final List<String> FLAGS = List.of(
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync");
    private static final String AXE = resource("/axe.min.js");
    private static final String VIOLATIONS = "() => axe.run(document, {resultTypes: ['violations']}).then(found =>"
            + " found.violations.map(v => v.id + ': ' + v.help + ' ' + v.nodes.map(n => n.html.slice(0, 200))))";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String KEY = KeyRing.newKey();

    private final TestDatabase database = new TestDatabase();
    private final boolean relayed;
    private final int port = FreePorts.one();
    private final List<String> complaints = Collections.synchronizedList(new ArrayList<>());
    private final List<BrowserContext> open = new ArrayList<>();
    private @Nullable Path dir;
    private @Nullable NodeProcess node;
    private @Nullable TcpRelay relay;
    private @Nullable Playwright playwright;
    private @Nullable Browser browser;

    Screen() {
        this(false);
    }

    private Screen(boolean relayed) {
        this.relayed = relayed;
    }

    /** The same, with a database that can go away. */
    static Screen behindRelay() {
        return new Screen(true);
    }

    /** Where the page is looked at. */
    enum Look {
        LIGHT(1280, 860, ColorScheme.LIGHT),
        DARK(1280, 860, ColorScheme.DARK),
        PHONE(390, 844, ColorScheme.LIGHT);

        private final int width;
        private final int height;
        private final ColorScheme scheme;

        Look(int width, int height, ColorScheme scheme) {
            this.width = width;
            this.height = height;
            this.scheme = scheme;
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        Path chromium = chromium();
        assumeTrue(chromium != null, "there is no Chromium here; scripts/chromium installs it");
        database.beforeAll(context);
        dir = Files.createTempDirectory(Path.of("target"), "page");
        relay = relayed ? TcpRelay.to(database.address()) : null;
        startNode();
        PlaywrightAssertions.setDefaultAssertionTimeout((double) SOON.toMillis());
        playwright = Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        browser = playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(chromium)
                        .setArgs(FLAGS));
    }

    private static @Nullable Path chromium() {
        return Stream.of("/usr/bin/chromium", "/usr/bin/chromium-browser")
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
    }

    /** Starts the node, under the same address each time. */
    void startNode() throws Exception {
        Map<String, String> settings = settings("node-a");
        settings.put("ROWLOCK_HTTP_PORT", Integer.toString(port));
        NodeProcess started = NodeProcess.start(Objects.requireNonNull(dir), settings);
        node = started; // also one that never gets ready is killed in the end
        started.awaitReady(SOON);
    }

    /** Another node of the same cluster; whoever starts it closes it. */
    NodeProcess startAnother(String name) throws Exception {
        NodeProcess another = NodeProcess.start(Objects.requireNonNull(dir).resolve(name), settings(name));
        another.awaitReady(SOON);
        return another;
    }

    private Map<String, String> settings(String name) {
        Map<String, String> settings = new TreeMap<>(NodeProcess.on(database));
        if (relay != null) {
            settings.put("ROWLOCK_DATABASE_URL", database.urlThrough(relay.port()));
        }
        settings.put("ROWLOCK_NODE_NAME", name);
        settings.put("ROWLOCK_ALERTS_ALLOW_INTERNAL", "127.0.0.1");
        settings.put("ROWLOCK_SECRETS_KEY", KEY);
        return settings;
    }

    TcpRelay relay() {
        return Objects.requireNonNull(relay);
    }

    NodeProcess node() {
        return Objects.requireNonNull(node);
    }

    TestDatabase database() {
        return database;
    }

    String url() {
        return "http://127.0.0.1:" + port + "/";
    }

    /** A call of the API as the administrator; fails unless it succeeds. */
    String call(String method, String path, String body) {
        var answer = node().send(method, "/api/v1" + path, body);
        assertThat(answer.statusCode())
                .as(method + " " + path + ": " + answer.body())
                .isLessThan(300);
        return answer.body();
    }

    /** Creates or replaces a job. */
    void job(String key, String definition) {
        call("PUT", "/jobs/" + key, definition);
    }

    /** Runs a job now; the id of the task. */
    long run(String key) throws IOException {
        return JSON.readTree(call("POST", "/jobs/" + key + "/run", "{}"))
                .path("id")
                .asLong();
    }

    void awaitOutcome(long task, String outcome) throws Exception {
        Until.holds(SOON, outcome, () -> call("GET", "/tasks/" + task, "").contains("\"outcome\":\"" + outcome + "\""));
    }

    /** @param more further fields of the request, each with a comma in front */
    String token(String role, String name, String... more) throws IOException {
        String body = "{\"name\": \"" + name + "\", \"role\": \"" + role + "\"" + String.join("", more) + "}";
        return JSON.readTree(call("POST", "/tokens", body)).path("token").asText();
    }

    /** A browser without cookies that shows nothing yet. */
    Page page(Look look) {
        BrowserContext context = Objects.requireNonNull(browser)
                .newContext(new Browser.NewContextOptions()
                        .setViewportSize(look.width, look.height)
                        .setColorScheme(look.scheme)
                        .setTimezoneId("America/New_York"));
        open.add(context);
        context.addInitScript("addEventListener('securitypolicyviolation', e =>"
                + " console.error('policy: ' + e.violatedDirective + ' ' + e.blockedURI))");
        Page page = context.newPage();
        page.setDefaultTimeout((double) SOON.toMillis());
        page.onConsoleMessage(this::heard);
        page.onPageError(error -> complaints.add("error: " + error));
        page.onDialog(dialog -> {
            complaints.add("a dialog of the browser: " + dialog.message());
            dialog.dismiss();
        });
        page.onRequest(request -> {
            if (!request.url().startsWith(url()) && !request.url().startsWith("blob:" + url())) {
                complaints.add("request to " + request.url());
            }
        });
        return page;
    }

    /** That nobody is signed in yet, that a name is not known, or that a node is away, is said by the browser, too. */
    private void heard(ConsoleMessage message) {
        if (!message.text().startsWith("Failed to load resource")) {
            complaints.add("console: " + message.text());
        }
    }

    /** Shows a part of the page to who has this token. */
    Page signedIn(Look look, String token, String hash) {
        Page page = page(look);
        page.navigate(url() + hash);
        page.getByLabel("Token").fill(token);
        page.keyboard().press("Enter");
        page.getByRole(com.microsoft.playwright.options.AriaRole.NAVIGATION)
                .first()
                .waitFor();
        return page;
    }

    /** Fails if some people cannot use what is shown, or have to scroll sideways. */
    void check(Page page) {
        page.evaluate(AXE);
        assertThat((List<?>) page.evaluate(VIOLATIONS)).as(page.url()).isEmpty();
        assertThat(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
                .as(page.url() + " is not wider than the screen")
                .isEqualTo(true);
    }

    /** The same, and keeps a picture in {@code target/screenshots}, and the document for {@code scripts/lint-html}. */
    void picture(Page page, String name) throws IOException {
        check(page);
        Files.createDirectories(SHOTS);
        Files.createDirectories(DOCUMENTS);
        page.screenshot(new Page.ScreenshotOptions().setPath(SHOTS.resolve(name + ".png")));
        Files.writeString(DOCUMENTS.resolve(name + ".html"), page.content());
    }

    @Override
    public void afterEach(ExtensionContext context) {
        open.forEach(BrowserContext::close);
        open.clear();
        List<String> said = List.copyOf(complaints);
        complaints.clear();
        assertThat(said).isEmpty();
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        if (playwright != null) {
            playwright.close();
        }
        if (node != null) {
            node.kill();
        }
        if (relay != null) {
            relay.close();
        }
        database.afterAll(context);
    }

    private static String resource(String name) {
        try (InputStream in = Screen.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(name, e);
        }
    }
}
