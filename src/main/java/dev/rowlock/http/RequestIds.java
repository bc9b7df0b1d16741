package dev.rowlock.http;

import io.javalin.http.Context;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;
import org.slf4j.MDC;

/**
 * Filter that gives each request an id, or keeps the one that it came with, to find an answer in the log: it is in the
 * header {@code X-Request-Id} of the answer, and in the field {@code request} of log lines.
 */
public final class RequestIds implements Filter {

    static final String HEADER = "X-Request-Id";

    /** Field of the log, and attribute of the request. */
    static final String FIELD = "request";

    /** Accepted form of a client's id: others could forge lines, or fill the log. */
    private static final Pattern FIT = Pattern.compile("[A-Za-z0-9._:/+=-]{1,64}");

    /** Returns the id of a request, which is in its answer, its log lines and its audit entries. */
    public static String of(Context ctx) {
        return Objects.requireNonNull(ctx.<String>attribute(FIELD));
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        String sent = ((HttpServletRequest) request).getHeader(HEADER);
        String id = sent != null && FIT.matcher(sent).matches()
                ? sent
                : UUID.randomUUID().toString();
        request.setAttribute(FIELD, id);
        ((HttpServletResponse) response).setHeader(HEADER, id);
        MDC.put(FIELD, id);
        try {
            chain.doFilter(request, response);
        } finally {
            MDC.remove(FIELD);
        }
    }
}
