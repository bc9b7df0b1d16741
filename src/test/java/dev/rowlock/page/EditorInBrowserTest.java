package dev.rowlock.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.rowlock.page.PageParts.button;
import static dev.rowlock.page.PageParts.dialog;
import static dev.rowlock.page.PageParts.exact;
import static dev.rowlock.page.PageParts.in;
import static dev.rowlock.page.Screen.Look.LIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.rowlock.support.NodeProcess;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The editor: the same job as a form and as YAML, and nothing that is lost. */
@Tag("database")
@Tag("slow")
class EditorInBrowserTest {

    @RegisterExtension
    static final Screen screen = new Screen();

    private static Page editor(String key) {
        return screen.signedIn(LIGHT, NodeProcess.TOKEN, "#/edit/" + key);
    }

    private static Locator yaml(Page page) {
        return page.getByLabel("The definition");
    }

    private static Pattern text(String pattern) {
        return Pattern.compile(pattern, Pattern.DOTALL);
    }

    @Test
    void a_job_is_the_same_as_a_form_and_as_yaml_both_ways() {
        screen.job(
                "yaml/both",
                "{\"schedule\": \"0 3 * * *\", \"command\": \"echo one\\necho two\", \"labels\": {\"on\": \"yes\","
                        + " \"day\": \"2026-12-01\"}, \"retry\": {\"max\": 2, \"backoff\": \"1m\"}}");
        Page page = editor("yaml/both");
        button(page, "As YAML").click();
        assertThat(yaml(page)).hasValue(text(".*command: \\|-?\n  echo one\n  echo two\n.*"));
        assertThat(yaml(page)).hasValue(text(".*retry:\n  max: 2\n.*"));
        screen.check(page);
        yaml(page)
                .fill(yaml(page)
                        .inputValue()
                        .replace("max: 2", "max: 5")
                        .replace("description: ''", "description: from YAML # a note"));
        button(page, "As a form").click();
        assertThat(page.getByLabel("Description")).hasValue("from YAML");
        assertThat(page.getByLabel("Retries")).hasValue("5");
        assertThat(page.getByLabel("Labels")).hasValue(text(".*day=2026-12-01.*"));
        page.getByLabel("Description").fill("from the form");
        button(page, "As YAML").click();
        assertThat(yaml(page)).hasValue(text(".*description: from the form\n.*"));
        page.keyboard().press("Control+s");
        in(dialog(page), "Save").click();
        assertThat(page).hasURL(Pattern.compile(".*#/jobs/yaml/both$"));
        assertThat(screen.call("GET", "/jobs/yaml/both", ""))
                .contains("\"max\":5", "\"on\":\"yes\"", "\"day\":\"2026-12-01\"", "from the form");
    }

    @Test
    void a_job_without_a_zone_runs_in_utc_and_both_the_field_and_the_plan_say_so() {
        screen.job("zone/none", "{\"schedule\": \"@manual\", \"command\": \"true\"}");
        Page page = editor("zone/none");
        page.getByLabel("Time zone").fill("");
        page.getByLabel("Schedule").fill("30 2 * * *");

        assertThat(page.getByText("In UTC unless you name one.")).isVisible();
        page.keyboard().press("Control+s");
        assertThat(dialog(page)).containsText("Fire times in UTC");
        assertThat(dialog(page)).containsText("02:30:00");
        screen.check(page);
    }

    @Test
    void several_schedules_are_one_per_row_and_nothing_of_them_is_lost() {
        screen.job(
                "several/lines",
                "{\"schedule\": [\"0 3 * * *\", {\"schedule\": \"0 9 * * *\", \"zone\": \"Asia/Tokyo\", \"env\": {\"A\": \"1\"}}],"
                        + " \"command\": \"true\"}");
        Page page = editor("several/lines");
        assertThat(page.getByLabel("Schedule")).hasValue(text("0 3 \\* \\* \\*\n\\{.*Asia/Tokyo.*}"));
        assertThat(page.getByText("line 2: at 09:00")).isVisible();
        page.getByLabel("Description").fill("changed");
        page.keyboard().press("Control+s");
        in(dialog(page), "Save").click();
        assertThat(page).hasURL(Pattern.compile(".*#/jobs/several/lines$"));
        assertThat(page.getByText("TZ=Asia/Tokyo 0 9 * * *")).isVisible();
        screen.check(page);
        assertThat(screen.call("GET", "/jobs/several/lines", ""))
                .contains("changed", "{\"schedule\":\"0 9 * * *\",\"zone\":\"Asia/Tokyo\",\"env\":{\"A\":\"1\"}}");

        page = editor("several/lines");
        page.getByLabel("Schedule").fill("0 3 * * *\n\n0 4 * * *\n");
        page.keyboard().press("Control+s");
        in(dialog(page), "Save").click();
        assertThat(page).hasURL(Pattern.compile(".*#/jobs/several/lines$"));
        assertThat(screen.call("GET", "/jobs/several/lines", ""))
                .contains("\"schedule\":[\"0 3 * * *\",\"0 4 * * *\"]");
    }

    @Test
    void what_is_wrong_in_yaml_is_named_by_line_or_field_and_is_not_lost() {
        screen.job("yaml/wrong", "{\"schedule\": \"0 3 * * *\", \"command\": \"true\"}");
        Page page = editor("yaml/wrong");
        button(page, "As YAML").click();
        yaml(page).fill("namespace: yaml\nname: wrong\nschedule: '0 3 * * *\ncommand: true\n");
        Locator error = page.locator("#yaml-error");
        assertThat(error).containsText("Line ");
        page.keyboard().press("Control+s");
        assertThat(dialog(page)).hasCount(0);
        assertThat(button(page, "As a form")).isDisabled();
        screen.check(page);

        page.reload();
        assertThat(yaml(page)).hasValue(text(".*'0 3 \\* \\* \\*\n.*"));
        assertThat(error).containsText("Line ");
        yaml(page).fill("- a list");
        assertThat(error).containsText("fields with values");
        yaml(page).fill("namespace: yaml\nname: wrong\nschedule: 61 * * * *\ncommand: 'true'\nretries: 3\n");
        page.keyboard().press("Control+s");
        Locator alert = page.getByRole(AriaRole.ALERT);
        assertThat(alert).containsText("retries");
        assertThat(alert).containsText("schedule");
        button(page, "Discard it").click();
        assertThat(yaml(page)).hasValue(text(".*schedule: 0 3 .*"));
        assertThat(screen.call("GET", "/jobs/yaml/wrong", "")).contains("\"version\":1");
    }

    @Test
    void who_was_overtaken_takes_theirs_or_goes_on_editing() {
        screen.job("overtaken/job", "{\"schedule\": \"@manual\", \"command\": \"echo first\"}");
        Page page = editor("overtaken/job");
        page.getByLabel("Description").fill("mine");
        screen.call("PATCH", "/jobs/overtaken/job", "{\"command\": \"echo theirs\"}");
        button(page, "Review and save …").click();
        in(dialog(page), "Save").click();
        assertThat(dialog(page)).containsText("was changed by somebody else");
        in(dialog(page), "Go on editing").click();
        assertThat(page.getByLabel("Description")).hasValue("mine");
        assertThat(page.getByLabel("Command")).hasValue("echo first");
        assertThat(screen.call("GET", "/jobs/overtaken/job", "")).contains("\"version\":2", "echo theirs");

        page.keyboard().press("Control+s");
        in(dialog(page), "Save").click();
        in(dialog(page), "Take theirs, drop mine").click();
        assertThat(page.getByLabel("Command")).hasValue("echo theirs");
        assertThat(page.getByLabel("Description")).hasValue("");
        page.reload();
        assertThat(page.getByLabel("Command")).hasValue("echo theirs");
        assertThat(page.getByText("did not save")).hasCount(0);
    }

    @Test
    void what_was_typed_survives_a_sign_out_and_says_if_the_job_has_changed() {
        screen.job("draft/job", "{\"schedule\": \"@manual\", \"command\": \"true\"}");
        Page page = editor("draft/job");
        page.getByLabel("Description").fill("half a sentence");
        page.locator(".menu > summary").click();
        button(page, "Sign out").click();
        page.getByLabel("Token").waitFor();
        screen.call("PATCH", "/jobs/draft/job", "{\"command\": \"echo other\"}");
        page.getByLabel("Token").fill(NodeProcess.TOKEN);
        page.keyboard().press("Enter");
        assertThat(page.getByLabel("Description")).hasValue("half a sentence");
        assertThat(page.getByRole(AriaRole.MAIN)).containsText("The job has changed since.");
        screen.check(page);
        button(page, "Discard it").click();
        assertThat(page.getByLabel("Command", exact())).hasValue("echo other");
        assertThat(page.getByLabel("Description")).hasValue("");
    }
}
