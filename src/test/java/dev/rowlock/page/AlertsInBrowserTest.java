package dev.rowlock.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.rowlock.page.PageParts.button;
import static dev.rowlock.page.PageParts.dialog;
import static dev.rowlock.page.PageParts.exact;
import static dev.rowlock.page.PageParts.in;
import static dev.rowlock.page.PageParts.link;
import static dev.rowlock.page.Screen.Look.LIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.rowlock.nodes.Until;
import dev.rowlock.support.NodeProcess;
import dev.rowlock.support.Receiver;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Alerts, silences, rules and channels on the page. */
@Tag("database")
@Tag("slow")
class AlertsInBrowserTest {

    @RegisterExtension
    static final Screen screen = new Screen();

    private static void channelAndRule(Receiver receiver, String name) {
        screen.call(
                "PUT",
                "/alerts/channels/" + name,
                "{\"type\": \"webhook\", \"destination\": \"" + receiver.url("/hook") + "\"}");
        screen.call(
                "PUT",
                "/alerts/rules/" + name,
                "{\"when\": [\"FAILED_IN_A_ROW\", \"RECOVERED\"], \"times\": 1, \"namespace\": \"" + name
                        + "\", \"groupWait\": \"0s\", \"channels\": [\"" + name + "\"]}");
    }

    private static Locator label(Page page, String text) {
        return dialog(page).getByLabel(text, new Locator.GetByLabelOptions().setExact(true));
    }

    @Test
    void a_channel_is_made_with_a_mistake_and_tried_and_a_rule_uses_it() throws Exception {
        try (Receiver receiver = new Receiver()) {
            Page page = screen.signedIn(LIGHT, NodeProcess.TOKEN, "#/alerts?tab=rules");
            assertThat(page.getByRole(AriaRole.MAIN)).containsText("There is no channel");
            button(page, "New channel …").click();
            label(page, "Name").fill("ops");
            label(page, "URL").fill("hooks.example.com");
            in(dialog(page), "Create").click();
            assertThat(dialog(page).locator(".field .error")).containsText("must begin with https://");
            screen.check(page);
            label(page, "URL").fill(receiver.url("/hook"));
            in(dialog(page), "Create").click();
            assertThat(page.getByLabel("All channels")).containsText("http://127.0.0.1");
            assertThat(page.getByLabel("All channels")).not().containsText("/hook");

            button(page, "Test channel ops").click();
            in(dialog(page), "Send it").click();
            assertThat(page.getByText("took the test message")).isVisible();
            assertThat(receiver.requests()).hasSize(1);
            receiver.answer(500, "broken");
            button(page, "Test channel ops").click();
            in(dialog(page), "Send it").click();
            assertThat(dialog(page).getByRole(AriaRole.ALERT)).containsText("It was not taken: ");
            in(dialog(page), "Cancel").click();

            button(page, "New rule …").click();
            label(page, "Name").fill("all-failures");
            dialog(page).getByText("NOT_STARTED_BY").click();
            in(dialog(page), "Create").click();
            assertThat(dialog(page).locator(".field .error")).containsText("is required with NOT_STARTED_BY");
            screen.check(page);
            label(page, "Not started within").fill("5m");
            in(dialog(page), "Create").click();
            assertThat(page.getByLabel("All rules")).containsText("NOT_STARTED_BY");
            assertThat(screen.call("GET", "/alerts/rules/all-failures", ""))
                    .contains("\"deadline\":\"5m\"", "\"channels\":[\"ops\"]");

            button(page, "Delete channel ops").click();
            in(dialog(page), "Delete ops").click();
            assertThat(dialog(page).getByRole(AriaRole.ALERT)).containsText("is used by the rules all-failures");
            in(dialog(page), "Cancel").click();
            button(page, "Delete rule all-failures").click();
            in(dialog(page), "Delete all-failures").click();
            assertThat(page.getByText("There is no rule")).isVisible();
        }
    }

    @Test
    void what_fires_is_silenced_and_the_silence_ended() throws Exception {
        try (Receiver receiver = new Receiver()) {
            channelAndRule(receiver, "fires");
            screen.job("fires/backup", "{\"schedule\": \"@manual\", \"command\": \"echo no disk; exit 4\"}");
            screen.awaitOutcome(screen.run("fires/backup"), "FAILED");
            Until.holds(Screen.SOON, "a message", () -> receiver.requests().size() == 1);

            Page page = screen.signedIn(LIGHT, NodeProcess.TOKEN, "#/alerts");
            Locator row = page.getByLabel("Open alerts")
                    .getByRole(AriaRole.ROW)
                    .filter(new Locator.FilterOptions().setHasText("fires/backup"));
            assertThat(row).containsText("exit code 4");
            Until.holds(Screen.SOON, "the message to be told as sent", () -> {
                page.reload();
                row.waitFor();
                return row.getByText("sent").count() == 1;
            });
            screen.check(page);

            button(page, "Silence fires/backup").click();
            assertThat(label(page, "Namespace")).hasValue("fires");
            assertThat(label(page, "Job")).hasValue("backup");
            assertThat(in(dialog(page), "Silence")).isDisabled();
            in(dialog(page), "1 hour").click();
            label(page, "Job").fill("back up");
            in(dialog(page), "Silence").click();
            assertThat(dialog(page).locator(".field .error")).isVisible();
            label(page, "Job").fill("backup");
            label(page, "Reason").fill("a new disk is on its way");
            screen.check(page);
            in(dialog(page), "Silence").click();
            Locator silences = page.getByLabel("All silences");
            assertThat(silences).containsText("a new disk is on its way");
            assertThat(silences).containsText("in force");
            screen.awaitOutcome(screen.run("fires/backup"), "FAILED");

            Locator mine =
                    silences.getByRole(AriaRole.ROW).filter(new Locator.FilterOptions().setHasText("a new disk"));
            in(mine, "End silence").click();
            in(dialog(page), "End silence").click();
            assertThat(mine).hasCount(0);

            screen.call("PATCH", "/jobs/fires/backup", "{\"command\": \"true\"}");
            screen.awaitOutcome(screen.run("fires/backup"), "SUCCEEDED");
            Until.holds(
                    Screen.SOON,
                    "the alert to be over",
                    () -> screen.call("GET", "/alerts?state=OPEN&namespace=fires", "")
                            .contains("\"items\":[]"));
            link(page, "What was raised").click();
            page.getByLabel("Namespace", exact()).fill("fires");
            button(page, "Show").click();
            assertThat(page.getByLabel("Alerts raised")).containsText("it recovered");
            screen.check(page);
        }
    }

    @Test
    void a_viewer_reads_and_an_operator_silences_what_is_theirs() throws Exception {
        try (Receiver receiver = new Receiver()) {
            channelAndRule(receiver, "theirs");
            screen.job("theirs/job", "{\"schedule\": \"@manual\", \"command\": \"exit 1\"}");
            screen.awaitOutcome(screen.run("theirs/job"), "FAILED");
            Until.holds(Screen.SOON, "a message", () -> !receiver.requests().isEmpty());

            Page viewer = screen.signedIn(LIGHT, screen.token("viewer", "sees-alerts"), "#/alerts");
            assertThat(viewer.getByLabel("Open alerts")).containsText("theirs/job");
            assertThat(viewer.getByText("silence", new Page.GetByTextOptions().setExact(true)))
                    .hasCount(0);
            assertThat(button(viewer, "New silence …")).hasCount(0);
            link(viewer, "Rules and channels").click();
            assertThat(viewer.getByLabel("All channels")).containsText("theirs");
            assertThat(button(viewer, "New rule …")).hasCount(0);
            assertThat(button(viewer, "Change rule theirs")).hasCount(0);
            screen.check(viewer);

            String limited = screen.token("operator", "theirs-only", ", \"namespaces\": [\"theirs\"]");
            Page operator = screen.signedIn(LIGHT, limited, "#/alerts");
            button(operator, "New silence …").click();
            assertThat(label(operator, "Namespace")).hasValue("theirs");
            label(operator, "Namespace").fill("fires");
            in(dialog(operator), "1 day").click();
            in(dialog(operator), "Silence").click();
            assertThat(dialog(operator).getByRole(AriaRole.ALERT).first()).containsText("fires");
            label(operator, "Namespace").fill("theirs");
            in(dialog(operator), "Silence").click();
            assertThat(operator.getByLabel("All silences")).containsText("theirs/*");
        }
    }
}
