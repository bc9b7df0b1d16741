package dev.rowlock.cli.context;

/** It cannot be told which cluster is meant, or the file that says so cannot be used. The message has the remedy. */
public final class WrongContext extends RuntimeException {

    private static final long serialVersionUID = 1L;

    WrongContext(String sentence) {
        super(sentence, null, false, false);
    }
}
