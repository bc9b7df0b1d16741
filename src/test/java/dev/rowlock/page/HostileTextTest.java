package dev.rowlock.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.rowlock.page.Screen.Look.LIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import dev.rowlock.support.NodeProcess;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Markup in whatever the page gets to show stays text. After each test {@link Screen} fails if a dialog was opened, the
 * content policy was broken, or another host was asked for anything.
 */
@Tag("database")
@Tag("slow")
class HostileTextTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String EVIL =
            "<img src=x onerror=alert(1)><svg onload=alert(2)><a href=\"javascript:alert(3)\" id=evil>'\">x</a>";
    /** Words that the page decides by, times, ids and cursors. */
    private static final String STRUCTURE = "[A-Z_]+|[0-9].*|[-+a-z0-9:_.=/]{0,16}|[A-Z][A-Za-z]+/[A-Za-z_/]+";

    @RegisterExtension
    static final Screen screen = new Screen();

    private static void assertHarmless(Page page) {
        assertThat((Integer) page.evaluate("document.querySelectorAll('img, iframe, object, #evil, svg[onload],"
                        + " [onerror], a[href^=\"javascript\" i]').length"))
                .as(page.url())
                .isZero();
    }

    private static String quoted(String text) {
        return TextNode.valueOf(text).toString();
    }

    /** Every text that anybody answers with ends in markup, but what the page could not work without. */
    private static JsonNode poisoned(JsonNode node, AtomicInteger count) {
        if (node.isTextual() && !node.textValue().matches(STRUCTURE)) {
            count.incrementAndGet();
            return TextNode.valueOf(node.textValue() + EVIL);
        }
        if (node instanceof ObjectNode object) {
            object.properties().forEach(field -> field.setValue(poisoned(field.getValue(), count)));
        }
        if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                array.set(i, poisoned(array.get(i), count));
            }
        }
        return node;
    }

    private static void poison(Route route, AtomicInteger count) {
        APIResponse answer = route.fetch();
        if (!answer.headers().getOrDefault("content-type", "").contains("json")) {
            route.fulfill(new Route.FulfillOptions().setResponse(answer));
            return;
        }
        try {
            String body = poisoned(JSON.readTree(answer.body()), count).toString();
            route.fulfill(new Route.FulfillOptions().setResponse(answer).setBody(body));
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static long fill() throws Exception {
        String evil = quoted(EVIL);
        screen.job(
                "evil/job",
                "{\"schedule\": \"@manual\", \"description\": " + evil + ", \"labels\": {\"l\": \"<b>x\"},"
                        + " \"env\": {\"E\": " + evil + "}, \"command\": \"echo \\\"$E\\\"; exit 1\"}");
        screen.call("PUT", "/groups/evil", "{\"limit\": 1, \"description\": " + evil + "}");
        screen.call(
                "PUT",
                "/alerts/channels/evil",
                "{\"type\": \"email\", \"destination\": \"a@b.example\", \"description\": " + evil + "}");
        screen.call(
                "PUT",
                "/alerts/rules/evil",
                "{\"when\": [\"FAILED\"], \"channels\": [\"evil\"], \"description\": " + evil + "}");
        screen.call(
                "POST",
                "/silences",
                "{\"rule\": \"evil\", \"until\": \"2099-01-01T00:00:00Z\", \"reason\": " + evil + "}");
        screen.job("evil/held", "{\"schedule\": \"0 3 * * *\", \"command\": \"true\"}");
        screen.call("POST", "/jobs/evil/held/pause", "{\"reason\": " + evil + "}");
        long task = screen.run("evil/job");
        screen.awaitOutcome(task, "FAILED");
        return task;
    }

    private static List<String> pages(long task) {
        return List.of(
                "#/overview",
                "#/jobs",
                "#/jobs/evil/job",
                "#/jobs/evil/held",
                "#/jobs/evil/job?tab=definition",
                "#/jobs/evil/job?tab=versions",
                "#/jobs/evil/job?tab=why",
                "#/edit/evil/job",
                "#/tasks/" + task,
                "#/history",
                "#/nodes",
                "#/groups",
                "#/alerts",
                "#/alerts?tab=raised",
                "#/alerts?tab=rules",
                "#/audit",
                "#/access");
    }

    @Test
    void markup_in_every_field_that_any_answer_has_stays_text() throws Exception {
        long task = fill();
        Page page = screen.signedIn(LIGHT, NodeProcess.TOKEN, "#/jobs");
        AtomicInteger poisoned = new AtomicInteger();
        page.route(url -> url.contains("/api/v1/") && !url.contains("/events"), route -> poison(route, poisoned));
        for (String at : pages(task)) {
            page.navigate(screen.url() + at);
            page.locator("main h1").waitFor();
            page.waitForFunction("() => document.querySelector('.loading') === null");
            assertThat(page.getByText("This page broke")).hasCount(0);
            assertHarmless(page);
        }
        assertThat(poisoned.get()).isGreaterThan(40);
    }

    /** Errors name what was sent; so do headers that came with it, in the audit. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "#/jobs?q=EVIL",
                "#/jobs?namespace=EVIL",
                "#/jobs?label=EVIL",
                "#/jobs?sort=EVIL",
                "#/jobs/evil/EVIL",
                "#/jobs/EVIL/job?tab=why&at=EVIL",
                "#/edit/evil/EVIL",
                "#/tasks/EVIL",
                "#/history?job=EVIL&since=EVIL&minDuration=EVIL",
                "#/history?outcome=EVIL",
                "#/alerts?tab=raised&state=EVIL&rule=EVIL",
                "#/audit?who=EVIL&action=EVIL&since=EVIL",
                "#/EVIL"
            })
    void markup_in_the_address_and_in_the_error_that_answers_it_stays_text(String at) {
        Page page = screen.signedIn(LIGHT, NodeProcess.TOKEN, "#/jobs");
        String encoded = java.net.URLEncoder.encode(EVIL, java.nio.charset.StandardCharsets.UTF_8)
                .replace("+", "%20");
        page.navigate(screen.url() + at.replace("EVIL", encoded));
        page.locator("main").waitFor();
        page.waitForFunction("() => document.querySelector('.loading') === null");
        assertThat(page.getByText("This page broke")).hasCount(0);
        assertHarmless(page);
    }

    @Test
    void a_request_id_and_a_user_agent_with_markup_stay_text_in_the_audit() throws Exception {
        var answer = screen.node()
                .sendWith("POST", "/api/v1/jobs/header/none/run", "{}", "X-Request-ID", EVIL, "User-Agent", EVIL);
        assertThat(answer.statusCode()).isGreaterThanOrEqualTo(400);
        screen.job("header/job", "{\"schedule\": \"@manual\", \"command\": \"true\"}");
        var run = screen.node()
                .sendWith("POST", "/api/v1/jobs/header/job/run", "{}", "X-Request-ID", "<b>id</b>", "User-Agent", EVIL);
        assertThat(run.statusCode()).isIn(202, 400);
        Page page = screen.signedIn(LIGHT, NodeProcess.TOKEN, "#/audit");
        page.getByLabel("Entries").waitFor();
        assertHarmless(page);
    }

    @Test
    void what_the_editor_gets_as_errors_stays_text() throws JsonProcessingException {
        Page page = screen.signedIn(LIGHT, NodeProcess.TOKEN, "#/new");
        page.getByLabel("Name", PageParts.exact()).fill("evil-editor");
        page.getByLabel("Schedule").fill(EVIL);
        page.getByLabel("Command").fill("true");
        page.getByLabel("Labels").fill(EVIL + "=" + EVIL);
        page.getByLabel("Time zone").fill(EVIL);
        assertThat(page.getByLabel("What this means")).containsText("schedule");
        page.keyboard().press("Control+s");
        page.getByRole(com.microsoft.playwright.options.AriaRole.ALERT).first().waitFor();
        assertHarmless(page);
        PageParts.button(page, "As YAML").click();
        assertHarmless(page);
    }
}
