package dev.rowlock.api;

import dev.rowlock.job.FieldProblem;
import java.util.List;
import java.util.Map;

/** Refusal of a request as an RFC 9457 problem. */
final class ApiProblem extends RuntimeException {

    private static final long serialVersionUID = 1L;

    final int status;
    final transient List<FieldProblem> errors;
    final transient Map<String, String> headers;

    ApiProblem(int status, String detail) {
        this(status, detail, Map.of());
    }

    ApiProblem(int status, String detail, Map<String, String> headers) {
        this(status, detail, List.of(), headers);
    }

    ApiProblem(int status, String detail, List<FieldProblem> errors, Map<String, String> headers) {
        super(detail, null, false, false);
        this.status = status;
        this.errors = List.copyOf(errors);
        this.headers = Map.copyOf(headers);
    }

    /** Refuses a query parameter, header or part of the path. */
    static ApiProblem of(int status, String field, String message) {
        return new ApiProblem(status, field + " " + message, List.of(new FieldProblem(field, message)), Map.of());
    }
}
