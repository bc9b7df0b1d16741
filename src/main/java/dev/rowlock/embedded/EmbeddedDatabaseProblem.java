package dev.rowlock.embedded;

import org.jspecify.annotations.Nullable;

/** Why the embedded database cannot be used, as a sentence for the operator that names the remedy. */
public final class EmbeddedDatabaseProblem extends RuntimeException {

    EmbeddedDatabaseProblem(String sentence) {
        super(sentence);
    }

    EmbeddedDatabaseProblem(String sentence, @Nullable Throwable cause) {
        super(sentence, cause);
    }
}
