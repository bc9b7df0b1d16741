package dev.rowlock.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.LoadState;
import dev.rowlock.nodes.Until;
import dev.rowlock.support.NodeProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Every page, empty and full, in light, dark and on a phone: fit for everybody, and as a picture for who changes it. */
@Order(1)
@Tag("database")
@Tag("slow")
class ScreenshotsTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    @RegisterExtension
    static final Screen screen = new Screen();

    private static final Map<String, String> EMPTY = Map.of(
            "overview",
            "#/overview",
            "jobs",
            "#/jobs",
            "history",
            "#/history",
            "groups",
            "#/groups",
            "access",
            "#/access",
            "alerts",
            "#/alerts",
            "rules",
            "#/alerts?tab=rules",
            "new",
            "#/new");

    private static long fill() throws Exception {
        screen.call("PUT", "/groups/warehouse", "{\"limit\": 2, \"description\": \"what the warehouse can take\"}");
        put("ops/backup", "0 3 * * *", "backup --full", "\"zone\": \"Europe/Berlin\", \"labels\": {\"team\": \"ops\"}");
        put("ops/backup", "0 3,15 * * 1-6", "backup", "\"zone\": \"Europe/Berlin\", \"labels\": {\"team\": \"ops\"}");
        put("ops/heartbeat", "* * * * * *", "echo alive", "\"description\": \"Says that it is alive\"");
        put("reports/slow", "*/2 * * * * *", "echo begun; sleep 300", "\"group\": \"warehouse\"");
        put(
                "billing/invoices",
                "@manual",
                "seq 40; echo -e '\\\\e[1;31mError:\\\\e[0m no address'; exit 3",
                "\"onLost\": \"FAIL\"");
        put("ops/cleanup", "@every 6h", "true", "\"labels\": {}");
        screen.call("POST", "/jobs/ops/cleanup/pause", "{\"reason\": \"the store moves\"}");
        alerts();
        long failed = JSON.readTree(screen.call("POST", "/jobs/billing/invoices/run", "{}"))
                .path("id")
                .asLong();
        Until.holds(
                Screen.SOON,
                "a run that fails, and one that is skipped",
                () -> screen.call("GET", "/tasks/" + failed, "").contains("FAILED")
                        && screen.call("GET", "/tasks?outcome=SKIPPED", "").contains("reports")
                        && screen.call("GET", "/alerts?state=OPEN", "").contains("invoices"));
        return failed;
    }

    /** A rule whose messages nobody takes, one whose job is silenced, and both in force before anything fails. */
    private static void alerts() {
        screen.call(
                "PUT",
                "/alerts/channels/on-call",
                "{\"type\": \"webhook\", \"destination\": \"http://127.0.0.1:9/hook\", \"secrets\":"
                        + " [\"whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\"], \"description\": \"who is on call\"}");
        screen.call("PUT", "/alerts/channels/mail", "{\"type\": \"email\", \"destination\": \"ops@example.com\"}");
        screen.call(
                "PUT",
                "/alerts/rules/billing",
                "{\"when\": [\"FAILED\", \"RECOVERED\"], \"namespace\": \"billing\", \"channels\": [\"on-call\"],"
                        + " \"groupWait\": \"0s\", \"reminder\": \"4h\", \"description\": \"money is at stake\"}");
        screen.call(
                "PUT",
                "/alerts/rules/late",
                "{\"when\": [\"NOT_STARTED_BY\", \"NODE_LOST\"], \"deadline\": \"15m\","
                        + " \"channels\": [\"on-call\", \"mail\"]}");
        screen.call(
                "POST",
                "/silences",
                "{\"namespace\": \"ops\", \"until\": \"" + Instant.now().plus(Duration.ofHours(8))
                        + "\", \"reason\": \"the store moves\"}");
    }

    private static void put(String key, String schedule, String command, String more) {
        screen.call(
                "PUT",
                "/jobs/" + key,
                "{\"schedule\": \"" + schedule + "\", \"command\": \"" + command + "\", " + more + "}");
    }

    private static Map<String, String> pages(long task) {
        Map<String, String> pages = new LinkedHashMap<>(EMPTY);
        pages.put("job", "#/jobs/ops/heartbeat");
        pages.put("definition", "#/jobs/ops/backup?tab=definition");
        pages.put("versions", "#/jobs/ops/backup?tab=versions");
        pages.put("why", "#/jobs/ops/backup?tab=why");
        pages.put("task", "#/tasks/" + task);
        pages.put("editor", "#/edit/ops/backup");
        pages.put("nodes", "#/nodes");
        pages.put("audit", "#/audit");
        return pages;
    }

    private static void show(Screen.Look look, Map<String, String> pages, String name) throws Exception {
        Page page = screen.signedIn(look, NodeProcess.TOKEN, "#/jobs");
        for (Map.Entry<String, String> one : pages.entrySet()) {
            page.navigate(screen.url() + one.getValue());
            page.locator("main h1").waitFor();
            page.waitForFunction("() => document.querySelector('.loading') === null");
            page.waitForLoadState(LoadState.LOAD);
            screen.picture(page, one.getKey() + name);
        }
    }

    @Test
    void every_page_is_fit_for_everybody() throws Exception {
        show(Screen.Look.LIGHT, EMPTY, "-empty");
        Map<String, String> pages = pages(fill());
        for (Screen.Look look : Screen.Look.values()) {
            show(look, pages, "-" + look.name().toLowerCase(java.util.Locale.ROOT));
        }
        assertThat(screen.node().log()).doesNotContain("ERROR");
    }
}
