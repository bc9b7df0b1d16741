package dev.rowlock.cli.client;

import java.io.IOException;

/** Nobody answered, or not to the end. Whether what was asked for has happened is not known. */
public final class Unreachable extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public Unreachable(String sentence, IOException cause) {
        super(sentence, cause);
    }
}
