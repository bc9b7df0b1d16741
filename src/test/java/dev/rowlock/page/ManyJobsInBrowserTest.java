package dev.rowlock.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.rowlock.page.PageParts.button;
import static dev.rowlock.page.PageParts.dialog;
import static dev.rowlock.page.PageParts.in;
import static dev.rowlock.page.Screen.Look.LIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Keyboard;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.rowlock.nodes.Until;
import dev.rowlock.support.IdleJobs;
import dev.rowlock.support.NodeProcess;
import dev.rowlock.support.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** 100,000 jobs, browsed and searched. How fast that is, {@code scripts/bench pages} measures. */
@Tag("database")
@Tag("slow")
class ManyJobsInBrowserTest {

    private static final int JOBS = 100_000;

    @RegisterExtension
    static final Screen screen = new Screen();

    @BeforeAll
    static void fill() {
        IdleJobs.insert(new Rows(screen.database()), JOBS);
    }

    private static int rows(Page page) {
        return (Integer) page.evaluate("document.querySelectorAll('.list-row').length");
    }

    @Test
    void a_hundred_thousand_jobs_are_scrolled_with_a_few_rows_in_the_document_and_found_by_typing() throws Exception {
        Page page = screen.signedIn(LIGHT, NodeProcess.TOKEN, "#/jobs");
        Locator list = page.locator(".list-row");
        assertThat(list.first()).containsText("default/idle-1");
        Until.holds(Screen.SOON, "a thousand jobs", () -> {
            page.mouse().wheel(0, 4_000);
            return Integer.parseInt(page.locator(".list-foot")
                            .textContent()
                            .replace(",", "")
                            .strip()
                            .split(" ", -1)[0])
                    >= 1_000;
        });
        assertThat(rows(page)).isLessThan(100);
        screen.check(page);

        page.keyboard().press("/");
        page.keyboard().type("idle-99999");
        assertThat(list).hasCount(1);
        assertThat(page).hasURL(Pattern.compile(".*q=idle-99999"));
        page.goBack();
        page.goForward();
        assertThat(list).hasCount(1);
        page.getByLabel("Search jobs").fill("nothing is called so");
        assertThat(page.getByText("No job matches")).isVisible();
        screen.check(page);
    }

    /** The address follows what was searched for, while more is typed. */
    @ParameterizedTest
    @ValueSource(ints = {0, 20, 40, 60, 80, 120})
    void no_letter_is_lost_however_fast_one_types(int millisBetweenKeys) throws Exception {
        Page page = screen.signedIn(LIGHT, NodeProcess.TOKEN, "#/jobs");
        assertThat(page.locator(".list-row").first()).containsText("default/idle-1");

        page.keyboard().press("/");
        page.keyboard().type("idle-99999", new Keyboard.TypeOptions().setDelay(millisBetweenKeys));

        assertThat(page.locator(".list-row")).hasCount(1);
        assertThat(page.getByLabel("Search jobs")).hasValue("idle-99999");
        assertThat(page).hasURL(Pattern.compile(".*q=idle-99999"));
    }

    @Test
    void the_key_for_searching_opens_the_list_and_what_is_typed_behind_it_is_searched_for() throws Exception {
        Page page = screen.signedIn(LIGHT, NodeProcess.TOKEN, "#/overview");
        assertThat(page.getByText("Not running")).isVisible();

        page.keyboard().press("/");
        page.keyboard().type("99999 default/idle-n");

        assertThat(page.getByLabel("Search jobs")).hasValue("99999 default/idle-n");
        page.getByLabel("Search jobs").fill("99999 default/idle");
        assertThat(page.locator(".list-row")).hasCount(1);
        page.locator(".list-row input[type=checkbox]").check();
        page.keyboard().press("/");
        page.keyboard().type("nothing");
        assertThat(page.getByText("No job matches")).isVisible();
    }

    @Test
    void all_that_match_are_paused_after_a_look_at_what_that_is() throws Exception {
        Page page = screen.signedIn(LIGHT, NodeProcess.TOKEN, "#/jobs?q=idle-777");
        scrollToEnd(page);
        page.getByLabel("Select all that are loaded").check();
        button(page, "Pause …").click();
        assertThat(dialog(page)).containsText("Pause 111 jobs?");
        assertThat(dialog(page)).containsText("… and 99 more");
        screen.check(page);
        dialog(page).getByLabel("Reason").fill("too many of them");
        in(dialog(page), "Pause 111 jobs").click();
        assertThat(page.getByText("Pause: done for 111.")).isVisible();
        page.navigate(screen.url() + "#/jobs?q=idle-777&state=PAUSED");
        scrollToEnd(page);
    }

    /** Further jobs may have arrived and not be drawn yet when a scroll is seen. */
    @Test
    void further_jobs_are_asked_for_once_however_often_one_scrolls() throws Exception {
        Page page = screen.signedIn(LIGHT, NodeProcess.TOKEN, "#/jobs?q=idle-777");
        List<String> asked = new ArrayList<>();
        page.onRequest(request -> {
            if (request.url().contains("cursor=")) {
                asked.add(request.url());
            }
        });
        page.evaluate("""
                setInterval(() => dispatchEvent(new Event("scroll")), 1);
                """);
        scrollToEnd(page);
        page.evaluate("""
                new Promise((done) => {
                  const wait = (frames) => frames === 0 ? done() : requestAnimationFrame(() => wait(frames - 1));
                  wait(60);
                })
                """);

        assertThat(asked).hasSize(1);
        assertThat(page.locator(".list-foot")).hasText("111 jobs");
    }

    private static void scrollToEnd(Page page) throws Exception {
        assertThat(page.locator(".list-row").first()).isVisible();
        Until.holds(Screen.SOON, "the end of the list", () -> {
            page.mouse().wheel(0, 4_000);
            return page.locator(".list-foot").textContent().contains("111 jobs");
        });
    }
}
