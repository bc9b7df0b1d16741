package dev.rowlock.cli.context;

/** Failure to tell which cluster is meant, or to use the file that says so. The message has the remedy. */
public final class WrongContext extends RuntimeException {

    private static final long serialVersionUID = 1L;

    WrongContext(String sentence) {
        super(sentence, null, false, false);
    }
}
