package dev.rowlock.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/** Rows for people, or names a line. */
final class TableRows implements Printer.Rows {

    private final Printer printer;
    private final @Nullable Table table;
    private final View view;
    private boolean titled;

    /** @param table null: only names are wanted */
    TableRows(Printer printer, @Nullable Table table, View view) {
        this.printer = printer;
        this.table = table;
        this.view = view;
    }

    @Override
    public void page(JsonNode items) {
        if (table == null) {
            items.forEach(item -> printer.line(view.name().apply(item)));
            return;
        }
        table.read(items, printer.moments());
        title(table);
        table.rows(printer.colour()).forEach(printer::line);
    }

    private void title(Table shown) {
        if (!titled) {
            titled = true;
            printer.line(shown.title(printer.colour()));
        }
    }

    @Override
    public void end() {
        if (table != null) {
            title(table);
        }
    }
}
