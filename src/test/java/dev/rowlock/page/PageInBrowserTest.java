package dev.rowlock.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.rowlock.page.PageParts.button;
import static dev.rowlock.page.PageParts.exact;
import static dev.rowlock.page.PageParts.heading;
import static dev.rowlock.page.PageParts.in;
import static dev.rowlock.page.Screen.Look.LIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.rowlock.nodes.Until;
import dev.rowlock.support.NodeProcess;
import java.nio.file.Files;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What people do with the page. Jobs of one test have a namespace of their own. */
@Order(1)
@Tag("database")
@Tag("slow")
class PageInBrowserTest {

    private static final String ADMIN = NodeProcess.TOKEN;

    @RegisterExtension
    static final Screen screen = new Screen();

    @Test
    void a_job_is_paused_for_an_hour_with_a_reason_and_resumed() throws Exception {
        screen.job("pause/nightly", "{\"schedule\": \"0 3 * * *\", \"command\": \"true\"}");
        Page page = screen.signedIn(LIGHT, ADMIN, "#/jobs/pause/nightly");
        button(page, "Pause …").click();
        Locator dialog = page.getByRole(AriaRole.DIALOG);
        in(dialog, "1 hour").click();
        dialog.getByLabel("Reason").fill("the store moves");
        in(dialog, "Pause").click();

        Locator main = page.getByRole(AriaRole.MAIN);
        assertThat(main).containsText("until it is resumed by itself, in 5");
        assertThat(main).containsText("the store moves");
        button(page, "Resume …").click();
        in(dialog, "Resume").click();
        assertThat(button(page, "Pause …")).isVisible();
        page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Versions"))
                .click();
        assertThat(main).containsText("pausedUntil");
        screen.check(page);
    }

    @Test
    void versions_show_what_changed_and_lead_back() throws Exception {
        screen.job("versions/report", "{\"schedule\": \"0 3 * * *\", \"command\": \"report --full\"}");
        screen.job("versions/report", "{\"schedule\": \"0 4 * * *\", \"command\": \"report\"}");
        Page page = screen.signedIn(LIGHT, ADMIN, "#/jobs/versions/report?tab=versions");
        button(page, "What version 2 changed").click();
        Locator dialog = page.getByRole(AriaRole.DIALOG);
        assertThat(dialog.locator("del").first()).hasText("0 3 * * *");
        assertThat(dialog).containsText("Fire times that appear: 7");
        screen.check(page);
        in(dialog, "Close").click();

        button(page, "Roll back to version 1").click();
        assertThat(dialog).containsText("It becomes version 3");
        in(dialog, "Roll back to 1").click();
        assertThat(dialog).hasCount(0);
        assertThat(page.getByLabel("All versions")).containsText("3");
        page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Definition"))
                .click();
        assertThat(page.locator("pre.code")).hasText("report --full");
    }

    @Test
    void a_failed_run_says_why_and_its_output_is_searched_line_by_line() throws Exception {
        screen.job(
                "why/fails",
                "{\"schedule\": \"@manual\", \"command\": \"seq 500; echo Error: no disk; seq 500; exit 3\"}");
        long task = screen.run("why/fails");
        screen.awaitOutcome(task, "FAILED");
        Page page = screen.signedIn(LIGHT, ADMIN, "#/tasks/" + task);
        assertThat(page.getByLabel("Why")).containsText("exit code 3");
        page.getByLabel("Search in the output").fill("no disk");
        assertThat(page.locator(".log mark")).hasText("no disk");
        assertThat(page.getByText("1 of 1")).isVisible();
        page.getByLabel("Line 501", new Page.GetByLabelOptions().setExact(true)).click();
        assertThat(page).hasURL(Pattern.compile(".*line=501"));
        page.reload();
        assertThat(page.locator(".log-line[data-here]")).containsText("Error: no disk");
    }

    @Test
    void markup_in_any_field_stays_text() throws Exception {
        String evil = "<img src=x onerror=alert(1)>'\\\"</script><script>alert(2)</script>";
        screen.job(
                "evil/markup",
                "{\"schedule\": \"@manual\", \"description\": \"" + evil + "\", \"env\": {\"E\": \"" + evil
                        + "\"}, \"command\": \"echo \\\"$E\\\"; printf '\\\\033[31m%s\\\\033[0m' \\\"$E\\\"; exit 1\"}");
        screen.call("POST", "/jobs/evil/markup/pause", "{\"reason\": \"" + evil + "\"}");
        long task = screen.run("evil/markup");
        screen.awaitOutcome(task, "FAILED");
        Page page = screen.signedIn(LIGHT, ADMIN, "#/tasks/" + task);
        assertThat(page.locator(".log-line span.ansi-31")).containsText("<img src=x");
        for (String tab : new String[] {"", "?tab=definition", "?tab=versions", "?tab=why"}) {
            page.navigate(screen.url() + "#/jobs/evil/markup" + tab);
            assertThat(page.locator(".sub").first()).containsText("<img src=x");
            screen.check(page);
        }
        page.navigate(screen.url() + "#/jobs?q=%3Cimg%20src%3Dx%3E%3Cb%3E");
        page.getByText("No job matches").waitFor();
        page.navigate(screen.url() + "#/jobs/evil/%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E");
        page.getByRole(AriaRole.ALERT).first().waitFor();
        assertThat((Integer) page.evaluate("document.querySelectorAll('img').length"))
                .isZero();
    }

    @Test
    void a_viewer_sees_everything_and_is_offered_nothing() throws Exception {
        screen.job("viewed/job", "{\"schedule\": \"@manual\", \"command\": \"true\"}");
        long task = screen.run("viewed/job");
        screen.awaitOutcome(task, "SUCCEEDED");
        Page page = screen.signedIn(LIGHT, screen.token("viewer", "who-views"), "#/jobs/viewed/job");
        assertThat(heading(page)).containsText("viewed/job");
        for (String offered : new String[] {"Run …", "Pause …", "Kill …", "Delete …"}) {
            assertThat(button(page, offered)).hasCount(0);
        }
        page.navigate(screen.url() + "#/tasks/" + task);
        page.getByLabel("Why").waitFor();
        assertThat(button(page, "Run again …")).hasCount(0);
        page.navigate(screen.url() + "#/jobs");
        page.getByText("viewed").first().waitFor();
        assertThat(page.getByRole(AriaRole.CHECKBOX)).hasCount(0);
        screen.check(page);
    }

    @Test
    void a_node_that_dies_is_noticed_and_what_happened_meanwhile_is_shown_when_it_is_back() throws Exception {
        screen.job("outage/job", "{\"schedule\": \"@manual\", \"command\": \"true\", \"description\": \"before\"}");
        Page page = screen.signedIn(LIGHT, ADMIN, "#/jobs/outage/job");
        assertThat(page.locator(".live")).containsText("Live");
        assertThat(page.locator(".sub").first()).hasText("before");
        screen.node().kill();
        assertThat(page.locator(".live")).containsText("Connection lost");
        screen.startNode();
        screen.call("PATCH", "/jobs/outage/job", "{\"description\": \"after\"}");
        assertThat(page.locator(".sub").first()).hasText("after");
        assertThat(page.locator(".live")).hasAttribute("data-state", "ON");
    }

    @Test
    void everything_is_reached_with_the_keyboard() throws Exception {
        screen.job("keys/job", "{\"schedule\": \"@manual\", \"command\": \"true\"}");
        Page page = screen.signedIn(LIGHT, ADMIN, "#/jobs/keys/job");
        assertThat(heading(page)).containsText("keys/job");
        page.keyboard().press("?");
        Locator dialog = page.getByRole(AriaRole.DIALOG);
        assertThat(dialog).containsText("search jobs");
        screen.check(page);
        page.keyboard().press("Escape");
        assertThat(dialog).hasCount(0);
        page.keyboard().press("g");
        page.keyboard().press("j");
        assertThat(heading(page)).hasText("Jobs");
        page.keyboard().press("/");
        page.keyboard().type("ns:keys ");
        assertThat(page.locator(".token")).hasText("ns:keys");
        assertThat(page.locator(".list-row")).hasCount(1);
        page.keyboard().press("Backspace");
        assertThat(page.locator(".token")).hasCount(0);
    }

    @Test
    void who_edits_what_somebody_else_has_changed_chooses() {
        screen.job("conflict/job", "{\"schedule\": \"@manual\", \"command\": \"echo first\"}");
        Page page = screen.signedIn(LIGHT, ADMIN, "#/edit/conflict/job");
        page.getByLabel("Description").fill("mine");
        screen.call("PATCH", "/jobs/conflict/job", "{\"command\": \"echo theirs\"}");
        button(page, "Review and save …").click();
        Locator dialog = page.getByRole(AriaRole.DIALOG);
        in(dialog, "Save").click();
        assertThat(dialog).containsText("was changed by somebody else");
        assertThat(dialog.locator("ins").first()).hasText("echo theirs");
        screen.check(page);
        in(dialog, "Put my fields into theirs").click();
        assertThat(page.getByLabel("Command")).hasValue("echo theirs");
        assertThat(page.getByLabel("Description")).hasValue("mine");
        button(page, "Review and save …").click();
        in(dialog, "Save").click();
        assertThat(page.locator(".sub").first()).hasText("mine");
        assertThat(screen.call("GET", "/jobs/conflict/job", "")).contains("echo theirs");
    }

    @Test
    void updates_rest_while_they_are_paused() throws Exception {
        screen.job("rest/job", "{\"schedule\": \"@manual\", \"command\": \"true\", \"description\": \"before\"}");
        Page page = screen.signedIn(LIGHT, ADMIN, "#/jobs/rest/job");
        assertThat(page.locator(".live")).hasAttribute("data-state", "ON");
        button(page, "Pause updates").click();
        assertThat(page.locator(".live")).containsText("Updates paused");
        screen.call("PATCH", "/jobs/rest/job", "{\"description\": \"after\"}");
        screen.check(page);
        assertThat(page.locator(".sub").first()).hasText("before");
        button(page, "Resume updates").click();
        assertThat(page.locator(".sub").first()).hasText("after");
    }

    @Test
    void nothing_is_read_again_while_updates_are_paused() throws Exception {
        Page page = screen.signedIn(LIGHT, ADMIN, "#/overview");
        page.clock().install();
        page.reload();
        assertThat(page.locator(".live")).hasAttribute("data-state", "ON");
        assertThat(page.locator(".figures")).isVisible();
        button(page, "Pause updates").click();
        assertThat(page.locator(".live")).containsText("Updates paused");
        AtomicInteger asked = new AtomicInteger();
        page.onRequest(request -> asked.incrementAndGet());
        page.clock().runFor(60_000);
        assertThat(asked.get()).isZero();
        page.waitForRequest(
                Pattern.compile(".*/api/v1/overview$"),
                () -> button(page, "Resume updates").click());
    }

    @Test
    void a_token_is_made_shown_once_used_and_revoked() throws Exception {
        Page page = screen.signedIn(LIGHT, ADMIN, "#/access");
        button(page, "New token …").click();
        Locator dialog = page.getByRole(AriaRole.DIALOG);
        dialog.getByLabel("Name", new Locator.GetByLabelOptions().setExact(true))
                .fill("from-the-page");
        dialog.getByLabel("Role").selectOption("operator");
        screen.check(page);
        in(dialog, "Make it").click();
        String token = dialog.getByLabel("The token").textContent();
        assertThat(token).startsWith("rowlock_");
        screen.check(page);
        in(dialog, "I have it").click();
        Page other = screen.signedIn(LIGHT, token, "#/jobs");
        assertThat(heading(other)).hasText("Jobs");
        assertThat(other.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Access")))
                .hasCount(0);
        button(page, "Revoke from-the-page").click();
        in(dialog, "Revoke from-the-page").click();
        assertThat(page.getByText("Token from-the-page is revoked.")).isVisible();
        Until.holds(Screen.SOON, "the sign-in with it to end", () -> {
            other.reload();
            other.locator("#token, .nav").first().waitFor();
            return other.locator("#token").count() == 1;
        });
    }

    @Test
    void history_is_filtered_in_the_address_and_saved_as_csv() throws Exception {
        screen.job("history/job", "{\"schedule\": \"@manual\", \"command\": \"exit 9\"}");
        screen.awaitOutcome(screen.run("history/job"), "FAILED");
        Page page = screen.signedIn(LIGHT, ADMIN, "#/history");
        page.getByLabel("Job", exact()).fill("history/job");
        page.getByLabel("Outcome").selectOption("FAILED");
        page.keyboard().press("Tab");
        button(page, "Show").click();
        assertThat(page).hasURL(Pattern.compile(".*job=history%2Fjob&outcome=FAILED"));
        assertThat(page.getByLabel("Tasks found").getByRole(AriaRole.ROW)).hasCount(2);
        assertThat(page.getByLabel("Tasks found")).not().containsText("attempt"); // said of the second one on
        String csv = Files.readString(
                page.waitForDownload(() -> page.getByText("as CSV").click()).path());
        assertThat(csv)
                .startsWith("id,namespace,job,")
                .contains(",history,job,")
                .contains(",FAILED,exit code 9,");
        page.getByLabel("Longer than").fill("soon");
        button(page, "Show").click();
        assertThat(page.getByRole(AriaRole.ALERT).first()).containsText("must be a duration");
    }
}
