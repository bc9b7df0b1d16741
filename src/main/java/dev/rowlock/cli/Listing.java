package dev.rowlock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.cli.output.Printer;
import dev.rowlock.cli.output.View;
import org.jspecify.annotations.Nullable;

/** Shows a list that comes in pages, none of which is kept. */
final class Listing {

    /** As many as the API gives at once. */
    private static final int PAGE = 1000;

    private Listing() {}

    /** @return the exit code */
    static int of(Remote command, Pages pages, @Nullable Integer most, View view) {
        Printer printer = command.printer();
        Printer.Rows rows = printer.rows(view);
        int left = most == null ? Integer.MAX_VALUE : most;
        String cursor = null;
        do {
            JsonNode page = command.ask(pages.page(Math.min(left, PAGE), cursor));
            rows.page(page.path("items"));
            left -= page.path("items").size();
            cursor = page.path("nextCursor").textValue();
        } while (cursor != null && left > 0 && !printer.isCut());
        rows.end();
        if (cursor != null && command.isForPeople()) {
            command.say("there are more; a higher --limit shows them");
        }
        return ExitCode.DONE;
    }
}
