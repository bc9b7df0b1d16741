package dev.rowlock.page;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;

/** Parts of the page as people find them. */
final class PageParts {

    private PageParts() {}

    static Locator button(Page page, String name) {
        return page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name));
    }

    static Locator in(Locator part, String button) {
        return part.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(button));
    }

    static Locator heading(Page page) {
        return page.getByRole(AriaRole.HEADING, new Page.GetByRoleOptions().setLevel(1));
    }

    static Locator link(Page page, String name) {
        return page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName(name));
    }

    static Locator dialog(Page page) {
        return page.getByRole(AriaRole.DIALOG);
    }

    /** For labels of which others are parts. */
    static Page.GetByLabelOptions exact() {
        return new Page.GetByLabelOptions().setExact(true);
    }
}
