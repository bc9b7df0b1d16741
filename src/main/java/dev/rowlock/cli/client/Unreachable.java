package dev.rowlock.cli.client;

import java.io.IOException;

/**
 * Failure of a request to which nobody answered, or not to the end. Whether the node has carried it out is not known.
 */
public final class Unreachable extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public Unreachable(String sentence, IOException cause) {
        super(sentence, cause);
    }
}
