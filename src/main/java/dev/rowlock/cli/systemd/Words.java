package dev.rowlock.cli.systemd;

import java.util.ArrayList;
import java.util.List;

/**
 * Words of a value, as systemd takes them apart: blanks part them, quotes may begin anywhere and hold until they are
 * closed, and a backslash begins an escape of C, within quotes, too.
 */
final class Words {

    private static final String ESCAPES = "abfnrtv\\\"'s";
    private static final String ESCAPED = "\u0007\b\f\n\r\t\u000b\\\"' ";

    private final String text;
    private final List<String> words = new ArrayList<>();
    private final StringBuilder word = new StringBuilder();
    private int at;

    private Words(String text) {
        this.text = text;
    }

    /** Returns the words. A {@code \;} that stands alone stays as it is, as it is no separator of commands. */
    static List<String> of(String text) {
        Words read = new Words(text);
        read.read();
        return read.words;
    }

    private void read() {
        boolean isWord = false;
        char quote = 0;
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '\\' && at < text.length()) {
                escape(quote);
                isWord = true;
            } else if (quote == 0 && Character.isWhitespace(c)) {
                end(isWord);
                isWord = false;
            } else if (quote == 0 ? c == '"' || c == '\'' : c == quote) {
                quote = quote == 0 ? c : 0;
                isWord = true;
            } else {
                word.append(c);
                isWord = true;
            }
        }
        end(isWord);
    }

    private void end(boolean isWord) {
        if (isWord) {
            words.add(word.toString());
        }
        word.setLength(0);
    }

    private void escape(char quote) {
        char c = text.charAt(at++);
        int known = ESCAPES.indexOf(c);
        if (c == ';' && word.isEmpty() && quote == 0) {
            word.append("\\;");
        } else if (known >= 0) {
            word.append(ESCAPED.charAt(known));
        } else if (!isNumbered(c)) {
            word.append('\\').append(c);
        }
    }

    /** Takes {@code x41}, {@code u0041} and {@code 101}. */
    private boolean isNumbered(char c) {
        return switch (c) {
            case 'x' -> digits(2, 16);
            case 'u' -> digits(4, 16);
            case 'U' -> digits(8, 16);
            default -> {
                at--;
                boolean isOctal = c >= '0' && c <= '7' && digits(3, 8);
                at += isOctal ? 0 : 1;
                yield isOctal;
            }
        };
    }

    /** Takes so many digits for a character, if they are there. */
    private boolean digits(int many, int base) {
        if (at + many > text.length()) {
            return false;
        }
        try {
            word.appendCodePoint(Integer.parseInt(text.substring(at, at + many), base));
            at += many;
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
