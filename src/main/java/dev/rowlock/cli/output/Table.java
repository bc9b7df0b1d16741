package dev.rowlock.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Columns as wide as what is in them. Of a long list, those of a later page may be wider. */
final class Table {

    private static final String GAP = "  ";

    private final List<Column> columns;
    private final int[] widths;
    private List<List<Cell>> page = List.of();

    Table(List<Column> columns) {
        this.columns = columns;
        this.widths = columns.stream().mapToInt(column -> width(column.title())).toArray();
    }

    /** Takes the next page. */
    void read(JsonNode items, Moments moments) {
        List<List<Cell>> read = new ArrayList<>();
        for (JsonNode item : items) {
            List<Cell> row = new ArrayList<>();
            for (int i = 0; i < columns.size(); i++) {
                Cell cell = columns.get(i).value().of(item, moments);
                widths[i] = Math.max(widths[i], width(cell.text()));
                row.add(cell);
            }
            read.add(row);
        }
        page = read;
    }

    String title(boolean colour) {
        List<Cell> titles =
                columns.stream().map(c -> new Cell(c.title(), Tone.STRONG)).toList();
        return line(titles, colour);
    }

    List<String> rows(boolean colour) {
        return page.stream().map(row -> line(row, colour)).toList();
    }

    private String line(List<Cell> row, boolean colour) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < row.size(); i++) {
            Cell cell = row.get(i);
            String blanks = " ".repeat(widths[i] - width(cell.text()));
            String text = cell.tone().paint(cell.text(), colour);
            boolean last = i == row.size() - 1;
            line.append(i == 0 ? "" : GAP).append(columns.get(i).right() ? blanks + text : last ? text : text + blanks);
        }
        return line.toString();
    }

    private static int width(String text) {
        return text.codePointCount(0, text.length());
    }
}
