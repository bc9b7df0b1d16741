package dev.rowlock.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.rowlock.page.PageParts.heading;
import static dev.rowlock.page.Screen.Look.LIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import dev.rowlock.support.NodeProcess;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the page shows while something is away, or is refused, and afterwards. */
@Order(1)
@Tag("database")
@Tag("slow")
class FaultsInBrowserTest {

    @RegisterExtension
    static final Screen screen = Screen.behindRelay();

    private static Locator live(Page page) {
        return page.locator(".live");
    }

    @Test
    void a_database_that_is_away_is_named_and_what_happened_meanwhile_is_shown_when_it_is_back() throws Exception {
        screen.job("away/job", "{\"schedule\": \"* * * * * *\", \"command\": \"true\"}");
        Page overview = screen.signedIn(LIGHT, NodeProcess.TOKEN, "#/overview");
        Page jobs = screen.signedIn(LIGHT, NodeProcess.TOKEN, "#/jobs?namespace=away");
        assertThat(jobs.locator(".list-row")).hasCount(1);
        assertThat(overview.locator(".figures")).isVisible();
        screen.relay().goAway();
        try {
            assertThat(overview.getByRole(AriaRole.ALERT)).containsText("database is");
            screen.check(overview);
            jobs.getByLabel("Search jobs").fill("j");
            assertThat(jobs.getByRole(AriaRole.ALERT)).containsText("database");
            screen.check(jobs);
        } finally {
            screen.relay().passThrough();
        }
        assertThat(overview.getByRole(AriaRole.ALERT)).hasCount(0);
        assertThat(jobs.getByRole(AriaRole.ALERT)).hasCount(0);
        assertThat(jobs.locator(".list-row")).containsText("succeeded");
        assertThat(live(jobs)).hasAttribute("data-state", "ON");
    }

    @Test
    void another_node_that_dies_is_shown_to_who_watches() throws Exception {
        try (NodeProcess other = screen.startAnother("node-b")) {
            Page page = screen.signedIn(LIGHT, NodeProcess.TOKEN, "#/nodes");
            assertThat(page.getByRole(AriaRole.MAIN)).containsText("node-b");
            assertThat(page.getByLabel("Sessions that ended")).hasCount(0);
            other.kill();
            assertThat(page.getByLabel("Sessions that ended")).containsText("node-b");
            screen.check(page);
        }
    }

    @Test
    void a_stream_that_is_refused_says_why_and_is_not_asked_for_again_and_again() throws Exception {
        screen.job("own/job", "{\"schedule\": \"@manual\", \"command\": \"true\"}");
        String own = screen.token("viewer", "own-only", ", \"namespaces\": [\"own\"]");
        Page page = screen.signedIn(LIGHT, own, "#/jobs");
        List<String> asked = Collections.synchronizedList(new ArrayList<>());
        page.onRequest(request -> {
            if (request.url().contains("/events")) {
                asked.add(request.url());
            }
        });
        page.navigate(screen.url() + "#/history?job=foreign%2Fjob");
        assertThat(live(page)).hasAttribute("data-state", "REFUSED");
        assertThat(page.locator(".banner")).containsText("foreign");
        screen.check(page);
        int before = asked.size();
        page.getByText("History").first().waitFor();
        page.clock().install();
        page.clock().fastForward("05:00");
        assertThat(asked).hasSize(before);

        page.navigate(screen.url() + "#/jobs/own/job");
        assertThat(live(page)).hasAttribute("data-state", "ON");
        assertThat(page.locator(".banner")).hasCount(0);
    }

    @Test
    void a_stream_that_is_refused_for_now_is_asked_for_again() {
        Page page = screen.page(LIGHT);
        page.route(
                url -> url.contains("/api/v1/events"),
                route -> route.fulfill(new Route.FulfillOptions()
                        .setStatus(503)
                        .setContentType("application/problem+json")
                        .setBody("{\"status\": 503, \"detail\": \"too many streams are open\", \"errors\": []}")));
        page.navigate(screen.url() + "#/jobs");
        page.getByLabel("Token").fill(NodeProcess.TOKEN);
        page.keyboard().press("Enter");
        assertThat(live(page)).hasAttribute("data-state", "LOST");
        assertThat(page.locator(".banner")).containsText("too many streams are open");
        screen.check(page);
        page.unrouteAll();
        assertThat(live(page)).hasAttribute("data-state", "ON");
        assertThat(page.locator(".banner")).hasCount(0);
    }

    @Test
    void a_job_is_seen_to_fire_by_its_schedule() {
        screen.job("fires/often", "{\"schedule\": \"* * * * * *\", \"command\": \"echo fired\"}");
        Page page = screen.signedIn(LIGHT, NodeProcess.TOKEN, "#/jobs/fires/often");
        assertThat(heading(page)).containsText("fires/often");
        assertThat(page.locator(".strip .run").nth(2)).isVisible();
        page.locator(".strip .run a").first().click();
        assertThat(page.locator(".sub")).containsText("succeeded");
        assertThat(page.getByLabel("Lines of the output")).containsText("fired");
    }
}
