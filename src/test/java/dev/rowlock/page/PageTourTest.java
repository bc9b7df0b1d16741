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
import dev.rowlock.support.NodeProcess;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tour of the page: in with a token, a job made, followed and killed, a failure found, and out again. Other tests of the page are slow. */
@Order(1)
@Tag("database")
@Tag("slow")
class PageTourTest {

    private static final String ADMIN = NodeProcess.TOKEN;

    @RegisterExtension
    static final Screen screen = new Screen();

    @Test
    void who_signs_in_with_a_wrong_token_is_told_and_who_signs_out_is_out() throws Exception {
        Page page = screen.page(LIGHT);
        page.navigate(screen.url() + "#/jobs");
        page.getByLabel("Token").fill("rowlock_wrong");
        page.keyboard().press("Enter");
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("token");
        screen.picture(page, "signin");

        page.getByLabel("Token").fill(ADMIN);
        page.keyboard().press("Enter");
        assertThat(heading(page)).hasText("Jobs");
        assertThat(page).hasURL(screen.url() + "#/jobs");

        page.locator(".menu > summary").click();
        button(page, "Sign out").click();
        page.getByLabel("Token").waitFor();
        page.reload();
        page.getByLabel("Token").waitFor();
    }

    @Test
    void a_task_is_followed_and_killed() throws Exception {
        screen.job("follow/long", "{\"schedule\": \"@manual\", \"command\": \"echo begun; sleep 600\"}");
        Page page = screen.signedIn(LIGHT, ADMIN, "#/jobs/follow/long");
        button(page, "Run …").click();
        Locator dialog = page.getByRole(AriaRole.DIALOG);
        assertThat(dialog).containsText("Run follow/long now?");
        screen.check(page);
        in(dialog, "Run now").click();

        assertThat(heading(page)).containsText("follow/long");
        assertThat(page.getByLabel("Lines of the output")).containsText("begun");
        screen.check(page);
        button(page, "Kill …").click();
        assertThat(dialog).containsText("TERM now");
        in(dialog, "Kill").click();
        assertThat(page.locator(".sub")).containsText("killed");
        assertThat(page.getByLabel("Why")).containsText("KILLED");
        screen.check(page);
    }

    @Test
    void a_job_is_made_with_a_mistake_that_is_put_right_and_nothing_typed_is_lost() {
        Page page = screen.signedIn(LIGHT, ADMIN, "#/new");
        page.getByLabel("Name", exact()).fill("made");
        page.getByLabel("Schedule").fill("61 * * * *");
        page.getByLabel("Command").fill("echo made");
        Locator means = page.getByLabel("What this means");
        assertThat(means).containsText("allowed are 0–59");
        page.keyboard().press("Control+s");
        assertThat(page.locator("#f-schedule-error")).containsText("allowed are 0–59");
        screen.check(page);

        page.reload();
        assertThat(page.getByLabel("Schedule")).hasValue("61 * * * *");
        assertThat(page.getByRole(AriaRole.MAIN)).containsText("what you typed before and did not save");
        page.getByLabel("Schedule").fill("30 2 * * *");
        page.getByLabel("Time zone").fill("Europe/Berlin");
        assertThat(means).containsText("at 02:30 every day, Europe/Berlin time");
        assertThat(means.getByRole(AriaRole.ROW)).hasCount(11);
        page.keyboard().press("Control+s");
        Locator dialog = page.getByRole(AriaRole.DIALOG);
        assertThat(dialog).containsText("Fire times that appear: 7");
        screen.check(page);
        in(dialog, "Create").click();
        assertThat(heading(page)).containsText("default/made");
        page.navigate(screen.url() + "#/new");
        assertThat(page.getByLabel("Name", exact())).hasValue("");
    }

    @Test
    void a_job_that_fails_is_on_the_overview_and_leads_to_its_reason() throws Exception {
        screen.job("failing/job", "{\"schedule\": \"@manual\", \"command\": \"exit 7\"}");
        screen.awaitOutcome(screen.run("failing/job"), "FAILED");
        Page page = screen.signedIn(LIGHT, ADMIN, "");
        Locator row = page.getByLabel("Jobs that fail")
                .getByRole(AriaRole.ROW)
                .filter(new Locator.FilterOptions().setHasText("failing/job"));
        assertThat(row).containsText("exit code 7");
        screen.check(page);
        row.getByText("failed").click();
        assertThat(page.getByLabel("Why")).containsText("FAILED: exit code 7");
    }
}
