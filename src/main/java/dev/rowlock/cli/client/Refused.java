package dev.rowlock.cli.client;

import java.util.List;

/** A node answered, and will not do it. */
public final class Refused extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int status;
    private final transient List<String> sentences;

    /** @param sentences what is wrong; then each field that is */
    Refused(int status, List<String> sentences) {
        super(String.join("\n", sentences), null, false, false);
        this.status = status;
        this.sentences = List.copyOf(sentences);
    }

    public int status() {
        return status;
    }

    public List<String> sentences() {
        return sentences;
    }

    /** Whether the token is none, is not valid, or does not reach so far. */
    public boolean isNotAllowed() {
        return status == 401 || status == 403;
    }
}
