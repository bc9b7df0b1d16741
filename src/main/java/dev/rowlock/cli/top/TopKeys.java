package dev.rowlock.cli.top;

import java.io.IOException;
import java.io.InputStream;

/** Keys that are typed, one by one. The terminal sends several bytes for some, and tells its size in the same way. */
final class TopKeys {

    /** Result if nothing was typed for a second. */
    static final int NONE = -1;

    static final int ESCAPE = 27;
    static final int ENTER = '\r';
    static final int BACKSPACE = 127;
    static final int UP = 1000;
    static final int DOWN = 1001;

    /** Key by which the terminal has told its size. */
    static final int SIZE = 1002;

    private final InputStream in;
    private int rows = 24;
    private int columns = 80;
    private int pending = NONE;
    private int asked;

    /** @param in a read from it ends after a second, or when something was typed */
    TopKeys(InputStream in) {
        this.in = in;
    }

    int rows() {
        return rows;
    }

    int columns() {
        return columns;
    }

    /** Returns the next key; {@link #NONE} if nothing was typed for a second. */
    int next() throws IOException {
        int key = pending == NONE ? in.read() : pending;
        pending = NONE;
        if (key == '\n') {
            return ENTER;
        }
        if (key == 8) {
            return BACKSPACE;
        }
        return key == ESCAPE && in.available() > 0 ? sequence() : key;
    }

    /** Notes that the terminal has been asked for its size. */
    void asked() {
        asked++;
    }

    /** Takes the answer that has not come yet, so that no shell takes it for something typed. */
    void finish() throws IOException {
        int read = 0;
        while (asked > 0 && read != NONE) {
            read = in.read();
            if (read == 'R') {
                asked--;
            }
        }
    }

    /** Reads the rest of a sequence: {@code ESC [ A} is an arrow, {@code ESC [ 24 ; 80 R} the place of the cursor. */
    private int sequence() throws IOException {
        int kind = in.read();
        if (kind != '[' && kind != 'O') {
            pending = kind; // a key by itself, and what came right behind it, such as the answer about the size
            return ESCAPE;
        }
        StringBuilder numbers = new StringBuilder();
        int c = in.read();
        while (c >= 0 && c < '@' && numbers.length() < 20) {
            numbers.append((char) c);
            c = in.read();
        }
        return switch (c) {
            case 'A' -> UP;
            case 'B' -> DOWN;
            case 'R' -> size(numbers.toString());
            default -> NONE;
        };
    }

    private int size(String numbers) {
        String[] two = numbers.split(";", -1);
        if (two.length != 2 || !numbers.matches("\\d{1,4};\\d{1,4}")) {
            return NONE;
        }
        asked = Math.max(0, asked - 1);
        rows = Math.max(5, Integer.parseInt(two[0]));
        columns = Math.max(20, Integer.parseInt(two[1]));
        return SIZE;
    }
}
