package dev.rowlock.yaml;

import java.util.List;

/** Files cannot be read, or do not say what they ought to. */
public final class WrongFiles extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient List<String> sentences;

    /** @param sentences each with its place, and with the remedy */
    public WrongFiles(List<String> sentences) {
        super(String.join("\n", sentences), null, false, false);
        this.sentences = List.copyOf(sentences);
    }

    public WrongFiles(Located.Position at, String what) {
        this(List.of(at + ": " + what));
    }

    public List<String> sentences() {
        return sentences;
    }
}
