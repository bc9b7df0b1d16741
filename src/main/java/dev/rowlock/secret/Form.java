package dev.rowlock.secret;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Form in which a secret may be written.
 *
 * @param bytes at least four; not copied, and must not be changed
 * @param wraps whether line breaks may stand within it, as in base64
 */
@SuppressWarnings("ArrayRecordComponent") // compared as text only
record Form(byte[] bytes, boolean wraps) {

    private static final int LEAST = SecretValue.MIN_CHARS;
    private static final int LEAST_OF_LINE = 8;
    private static final HexFormat UPPER = HexFormat.of().withUpperCase();
    private static final HexFormat LOWER = HexFormat.of();
    /** Characters that programs leave as they are besides letters, digits, dot, hyphen, underscore and tilde. */
    private static final List<String> LEFT_BY_SOME = List.of("", "/", "!'()*", "~");

    /**
     * Returns the forms of the values, of their lines, and of both in base64, percent encoding, and as JSON and a shell
     * quote them.
     */
    static List<Form> of(Collection<String> values) {
        TreeSet<String> plain = new TreeSet<>();
        TreeSet<String> base64 = new TreeSet<>();
        for (String value : values) {
            for (String text : texts(value)) {
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                plain.add(latin(bytes));
                plain.addAll(percent(bytes));
                plain.addAll(json(text));
                plain.add(latin(text.replace("'", "'\\''").getBytes(StandardCharsets.UTF_8)));
                base64.addAll(base64(bytes));
            }
        }
        plain.removeIf(form -> form.length() < LEAST);
        base64.removeIf(form -> form.length() < LEAST);
        List<Form> forms = new ArrayList<>();
        plain.forEach(form -> forms.add(new Form(bytes(form), false)));
        base64.forEach(form -> forms.add(new Form(bytes(form), true)));
        forms.sort(Comparator.comparingInt((Form form) -> form.bytes.length).reversed());
        return List.copyOf(forms);
    }

    /** Returns the whole value, also without surrounding white space, and its lines if it has several. */
    private static Collection<String> texts(String value) {
        TreeSet<String> texts = new TreeSet<>(List.of(value));
        if (value.strip().length() >= LEAST) {
            texts.add(value.strip());
        }
        value.lines().filter(line -> line.length() >= LEAST_OF_LINE).forEach(texts::add);
        return texts;
    }

    private static Collection<String> percent(byte[] bytes) {
        TreeSet<String> forms = new TreeSet<>();
        for (String left : LEFT_BY_SOME) {
            boolean tilde = !left.equals("~"); // forms of web pages encode that one, too
            String others = left.equals("~") ? "*" : left;
            StringBuilder upper = new StringBuilder();
            StringBuilder lower = new StringBuilder();
            for (byte b : bytes) {
                char c = (char) (b & 0xff);
                boolean plain = (c < 128 && Character.isLetterOrDigit(c))
                        || "-._".indexOf(c) >= 0
                        || (tilde && c == '~')
                        || others.indexOf(c) >= 0;
                if (plain) {
                    upper.append(c);
                    lower.append(c);
                } else {
                    upper.append('%').append(UPPER.toHexDigits(b));
                    lower.append('%').append(LOWER.toHexDigits(b));
                }
            }
            for (String form : List.of(upper.toString(), lower.toString())) {
                forms.add(form);
                forms.add(form.replace("%20", "+"));
            }
        }
        return forms;
    }

    /** Returns the forms as JSON strings; some programs escape slashes as well, or what is not ASCII. */
    private static Collection<String> json(String text) {
        TreeSet<String> forms = new TreeSet<>();
        for (boolean slashes : new boolean[] {false, true}) {
            for (Optional<HexFormat> others :
                    List.of(Optional.<HexFormat>empty(), Optional.of(LOWER), Optional.of(UPPER))) {
                StringBuilder form = new StringBuilder();
                for (int i = 0; i < text.length(); i++) {
                    char c = text.charAt(i);
                    int named = "\"\\\b\f\n\r\t".indexOf(c);
                    if (named >= 0) {
                        form.append('\\').append("\"\\bfnrt".charAt(named));
                    } else if (c == '/' && slashes) {
                        form.append("\\/");
                    } else if (c < ' ' || (c > '~' && others.isPresent())) {
                        form.append("\\u").append(others.orElse(LOWER).toHexDigits(c));
                    } else {
                        form.append(c);
                    }
                }
                forms.add(latin(form.toString().getBytes(StandardCharsets.UTF_8)));
            }
        }
        return forms;
    }

    /**
     * Returns the forms in base64, whatever precedes and follows: characters that also depend on a neighbour are left
     * out, except that those at the end appear as they are if nothing follows.
     */
    private static Collection<String> base64(byte[] bytes) {
        TreeSet<String> forms = new TreeSet<>();
        for (int before = 0; before < 3; before++) {
            byte[] padded = new byte[before + bytes.length];
            System.arraycopy(bytes, 0, padded, before, bytes.length);
            int from = (before * 8 + 5) / 6;
            int to = padded.length * 8 / 6;
            for (Base64.Encoder encoder : List.of(Base64.getEncoder(), Base64.getUrlEncoder())) {
                String whole = encoder.encodeToString(padded);
                forms.add(whole.substring(from, to));
                forms.add(whole.substring(from));
                forms.add(whole.substring(from).replace("=", ""));
            }
        }
        return forms;
    }

    /** Converts bytes to characters, so that they can be compared. */
    private static String latin(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private static byte[] bytes(String latin) {
        return latin.getBytes(StandardCharsets.ISO_8859_1);
    }
}
