package dev.rowlock.http;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;

/**
 * Limit on concurrent requests, except those to the health endpoints, which thus always find a free thread. It is the
 * last resort: {@link RequestShares} keep single callers from reaching it.
 */
public final class RequestLimit implements Filter {

    public static final Set<String> HEALTH = Set.of("/livez", "/readyz");

    private final Semaphore slots;
    private final RequestCounts requests;

    public RequestLimit(int atOnce, RequestCounts requests) {
        this.requests = requests;
        this.slots = new Semaphore(atOnce);
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (HEALTH.contains(((HttpServletRequest) request).getRequestURI())) {
            chain.doFilter(request, response);
            return;
        }
        if (!slots.tryAcquire()) {
            requests.refusedOne();
            refuse((HttpServletResponse) response);
            return;
        }
        try {
            chain.doFilter(request, response);
        } finally {
            slots.release();
        }
    }

    private static void refuse(HttpServletResponse response) throws IOException {
        ApiProblem problem =
                new ApiProblem(503, "too many requests at once on this node; try again", Map.of("Retry-After", "1"));
        response.setStatus(problem.status);
        response.setContentType(Problems.TYPE);
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Cache-Control", "no-store");
        problem.headers.forEach(response::setHeader);
        response.getOutputStream().write(Problems.body(problem));
    }
}
