package dev.rowlock.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.rowlock.page.PageParts.button;
import static dev.rowlock.page.PageParts.dialog;
import static dev.rowlock.page.PageParts.heading;
import static dev.rowlock.page.PageParts.in;
import static dev.rowlock.page.Screen.Look.DARK;
import static dev.rowlock.page.Screen.Look.LIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.rowlock.support.NodeProcess;
import java.time.Year;
import java.time.ZoneOffset;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Calendars, freezes and backfills on the page. */
@Order(1)
@Tag("database")
@Tag("slow")
class CalendarsInBrowserTest {

    @RegisterExtension
    static final Screen screen = new Screen();

    @Test
    void a_year_shows_open_and_closed_days_to_eyes_keyboard_and_screen_reader() {
        int year = Year.now(ZoneOffset.UTC).getValue();
        screen.call(
                "PUT",
                "/calendars/works",
                "{\"week\": [\"MON\", \"TUE\", \"WED\", \"THU\", \"FRI\", \"SAT\", \"SUN\"], \"closed\":"
                        + " [{\"date\": \"--12-25\", \"name\": \"Christmas\"}, {\"date\": {\"from\": \"" + (year + 1)
                        + "-08-01\", \"to\": \"" + (year + 1) + "-08-14\"}, \"name\": \"works holidays\"}],"
                        + " \"open\": [{\"date\": \"" + (year + 1) + "-08-05\", \"name\": \"stocktaking\"}]}");
        Page page = screen.signedIn(LIGHT, NodeProcess.TOKEN, "#/calendars/works");
        Locator days = page.getByRole(AriaRole.GROUP, new Page.GetByRoleOptions().setName("Days of " + year));
        assertThat(days.locator("td[data-closed]")).hasCount(1);
        assertThat(days.locator("td[data-closed]")).hasText("25 closed Christmas");
        screen.check(page);

        button(page, "The year after " + year).focus();
        page.keyboard().press("Enter");
        Locator next = page.getByRole(AriaRole.GROUP, new Page.GetByRoleOptions().setName("Days of " + (year + 1)));
        assertThat(next.locator("td[data-closed]")).hasCount(14);
        assertThat(next.getByText("open stocktaking")).hasCount(1);
        next.focus();
        assertThat(next).isFocused();
        screen.check(page);
    }

    @Test
    void a_freeze_is_a_banner_above_every_page_with_its_end_for_operators_alone() throws Exception {
        screen.call("POST", "/freezes", "{\"namespaces\": [\"iced\"], \"for\": \"2h\", \"reason\": \"a move\"}");
        Page seen = screen.signedIn(DARK, screen.token("viewer", "looks"), "#/history");
        assertThat(seen.locator(".banner")).containsText("Frozen: jobs of iced, until in ");
        assertThat(seen.locator(".banner")).containsText("a move");
        assertThat(button(seen, "End it …")).hasCount(0);
        screen.check(seen);

        Page page = screen.signedIn(LIGHT, NodeProcess.TOKEN, "#/overview");
        button(page, "End it …").click();
        assertThat(dialog(page)).containsText("What it holds starts");
        screen.check(page);
        page.getByRole(AriaRole.DIALOG)
                .getByRole(AriaRole.BUTTON)
                .filter(new Locator.FilterOptions().setHasText("End freeze"))
                .click();
        assertThat(page.locator(".banner")).hasCount(0);
        assertThat(heading(page)).isVisible();
        assertThat(screen.call("GET", "/freezes", "")).contains("\"state\":\"ENDED\"");
    }

    @Test
    void whoever_freezes_all_jobs_before_a_move_gives_it_another_end_and_goes_on_early() {
        Page page = screen.signedIn(LIGHT, NodeProcess.TOKEN, "#/overview");
        page.keyboard().press("g");
        page.keyboard().press("f");
        assertThat(heading(page)).hasText("Freezes");
        button(page, "New freeze …").click();
        assertThat(page.getByLabel("All jobs")).isChecked();
        screen.check(page);
        page.getByLabel("All jobs").uncheck();
        page.getByLabel("Namespaces").fill("shop, billing");
        in(dialog(page), "8 hours").click();
        page.getByLabel("Reason").fill("the database moves");
        in(dialog(page), "Freeze").click();
        assertThat(dialog(page)).hasCount(0);
        Locator row = page.getByRole(AriaRole.ROW).filter(new Locator.FilterOptions().setHasText("shop, billing"));
        assertThat(row).containsText("in force");
        assertThat(row).containsText("the database moves");
        screen.check(page);

        row.getByText("other end").click();
        in(dialog(page), "1 day").click();
        in(dialog(page), "Change it").click();
        assertThat(dialog(page)).hasCount(0);
        row.getByText("end", new Locator.GetByTextOptions().setExact(true)).click();
        assertThat(dialog(page)).containsText("What it holds starts");
        dialog(page)
                .getByRole(AriaRole.BUTTON)
                .filter(new Locator.FilterOptions().setHasText("End freeze"))
                .click();
        assertThat(row).containsText("over");
    }

    @Test
    void pay_day_is_the_last_open_day_but_two_and_its_fire_times_are_seen_before_it_is_saved() {
        screen.call("PUT", "/calendars/pay", "{\"week\": [\"MON\", \"TUE\", \"WED\", \"THU\", \"FRI\"]}");
        screen.job("pay/day", "{\"schedule\": \"0 9 1 * *\", \"zone\": \"UTC\", \"command\": \"true\"}");
        Page page = screen.signedIn(LIGHT, NodeProcess.TOKEN, "#/edit/pay/day");
        page.getByLabel("Schedule", new Page.GetByLabelOptions().setExact(true)).fill("0 9 LB-2 * *");
        assertThat(page.getByText("calendar", new Page.GetByTextOptions().setExact(false))
                        .first())
                .isVisible();
        page.getByLabel("pay", new Page.GetByLabelOptions().setExact(true)).check();
        page.getByLabel("On a closed day").selectOption("NEXT");
        assertThat(page.getByText("last open day", new Page.GetByTextOptions().setExact(false))
                        .first())
                .isVisible();
        screen.check(page);
        page.keyboard().press("Control+s");
        in(dialog(page), "Save").click();
        assertThat(page).hasURL(Pattern.compile(".*#/jobs/pay/day$"));
        assertThat(screen.call("GET", "/jobs/pay/day", ""))
                .contains("\"calendar\":\"pay\"", "\"onClosed\":\"NEXT\"", "LB-2");
    }

    @Test
    void a_backfill_is_counted_before_it_is_asked_for_and_its_rows_are_seen() throws Exception {
        screen.job("past/days", "{\"schedule\": \"0 5 * * *\", \"zone\": \"UTC\", \"command\": \"true\"}");
        Page page = screen.signedIn(LIGHT, NodeProcess.TOKEN, "#/jobs/past/days");
        button(page, "Backfill …").click();
        page.getByLabel("From", new Page.GetByLabelOptions().setExact(true)).fill("2026-03-01T00:00");
        page.getByLabel("Until").fill("2026-03-04T00:00");
        in(dialog(page), "Count").click();
        assertThat(dialog(page)).containsText("3 of 3 fire times run");
        screen.check(page);
        in(dialog(page), "Run them").click();
        Locator rows = page.getByRole(AriaRole.MAIN);
        assertThat(rows).containsText("3 succeeded");
        screen.check(page);
        assertThat(screen.call("GET", "/tasks?cause=BACKFILL", "")).contains("2026-03-03T05:00:00");
    }
}
