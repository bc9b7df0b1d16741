package dev.rowlock.http;

import dev.rowlock.field.FieldProblem;
import java.util.List;
import java.util.Map;

/** Refusal of a request as an RFC 9457 problem. */
public final class ApiProblem extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public final int status;
    final transient List<FieldProblem> errors;
    final transient Map<String, String> headers;

    public ApiProblem(int status, String detail) {
        this(status, detail, Map.of());
    }

    public ApiProblem(int status, String detail, Map<String, String> headers) {
        this(status, detail, List.of(), headers);
    }

    public ApiProblem(int status, String detail, List<FieldProblem> errors, Map<String, String> headers) {
        super(detail, null, false, false);
        this.status = status;
        this.errors = List.copyOf(errors);
        this.headers = Map.copyOf(headers);
    }

    /** Refuses a query parameter, header or part of the path. */
    public static ApiProblem of(int status, String field, String message) {
        return new ApiProblem(status, field + " " + message, List.of(new FieldProblem(field, message)), Map.of());
    }
}
