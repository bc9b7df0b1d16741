package dev.rowlock.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** Refusal by a node that answered. */
public final class RequestRefused extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String target;
    private final int status;
    private final transient List<String> sentences;
    private final transient JsonNode problem;

    /**
     * @param target what was asked for: path and query
     * @param sentences what is wrong; then each field that is
     * @param problem as it was answered; missing if it is none of Rowlock
     */
    RequestRefused(String target, int status, List<String> sentences, JsonNode problem) {
        super(String.join("\n", sentences), null, false, false);
        this.target = target;
        this.status = status;
        this.sentences = List.copyOf(sentences);
        this.problem = problem;
    }

    /** Returns what is wrong with each field: its path as {@code field}, and a {@code message}. */
    public JsonNode errors() {
        return problem.path("errors");
    }

    /** Returns the path and the query of the request. */
    public String target() {
        return target;
    }

    public int status() {
        return status;
    }

    public List<String> sentences() {
        return sentences;
    }

    /** Returns true if the token is none, is not valid, or does not reach so far. */
    public boolean isNotAllowed() {
        return status == 401 || status == 403;
    }
}
