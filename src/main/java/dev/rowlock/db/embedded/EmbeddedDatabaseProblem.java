package dev.rowlock.db.embedded;

import org.jspecify.annotations.Nullable;

/** Failure to use the embedded database, as a sentence for the operator that names the remedy. */
public final class EmbeddedDatabaseProblem extends RuntimeException {

    EmbeddedDatabaseProblem(String sentence) {
        super(sentence);
    }

    EmbeddedDatabaseProblem(String sentence, @Nullable Throwable cause) {
        super(sentence, cause);
    }
}
