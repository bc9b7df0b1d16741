package dev.rowlock.cli.top;

import dev.rowlock.cli.output.Cell;
import dev.rowlock.cli.output.Tone;
import java.util.ArrayList;
import java.util.List;

/** Screen of {@code top}: as many lines as there is room for, none wider than the terminal. */
final class TopScreen {

    /** Puts the cursor into the last corner and asks where it is; the answer comes as a key. */
    static final String ASK_SIZE = "\u001b[999;999H\u001b[6n";

    private static final String HOME = "\u001b[H";
    private static final String REST_OF_LINE = "\u001b[K";
    private static final String BELOW = "\u001b[J";

    /** Returns the whole screen. */
    String of(
            TopKeys size,
            boolean colour,
            List<String> head,
            List<TopRow> rows,
            int chosen,
            List<String> text,
            String bottom) {
        int room = size.rows() - head.size() - 1;
        List<String> body = text.isEmpty()
                ? rows(rows, chosen, room, size.columns(), colour)
                : text.subList(Math.max(0, text.size() - room), text.size()).stream()
                        .map(line -> cut(line, size.columns()))
                        .toList();
        StringBuilder screen = new StringBuilder(HOME);
        head.forEach(line ->
                screen.append(cut(line, size.columns())).append(REST_OF_LINE).append("\r\n"));
        body.forEach(line -> screen.append(line).append(REST_OF_LINE).append("\r\n"));
        screen.append(BELOW).append("\u001b[").append(size.rows()).append(";1H");
        return screen.append(Tone.FAINT.paint(cut(bottom, size.columns() - 1), colour))
                .append(REST_OF_LINE)
                .toString();
    }

    /** Returns the rows around the chosen one. */
    private static List<String> rows(List<TopRow> rows, int chosen, int room, int columns, boolean colour) {
        int first = Math.max(0, Math.min(chosen - room / 2, rows.size() - room));
        List<String> lines = new ArrayList<>();
        for (int i = first; i < Math.min(rows.size(), first + room); i++) {
            TopRow row = rows.get(i);
            String mark = i == chosen && !row.isTitle() ? ">" : "";
            String line = cut(mark.isEmpty() ? row.text() : mark + row.text().substring(1), columns);
            lines.add(row.tone().paint(line, colour));
        }
        return lines;
    }

    private static String cut(String text, int columns) {
        String line = Cell.printable(text);
        return line.codePointCount(0, line.length()) <= columns
                ? line
                : line.substring(0, line.offsetByCodePoints(0, columns));
    }
}
