package dev.rowlock.config;

import java.util.List;

/** Everything that is wrong with the settings: one sentence per wrong key, for the operator, without a stack trace. */
public final class ConfigProblems extends RuntimeException {

    private final transient List<String> sentences;

    ConfigProblems(List<String> sentences) {
        super(String.join("\n", sentences));
        this.sentences = List.copyOf(sentences);
    }

    /** Returns one sentence per problem, each naming the key, in the order of the settings. Secrets are not quoted. */
    public List<String> sentences() {
        return sentences;
    }
}
