package dev.rowlock.report.metrics;

import dev.rowlock.http.RequestCounts;
import dev.rowlock.report.metrics.Families.Point;
import dev.rowlock.report.metrics.Families.Spread;

/** Metric families of HTTP requests. */
record HttpFamilies(RequestCounts requests) {

    void addTo(Families families) {
        families.counter(
                "rowlock_http_requests",
                "Requests that were answered, by method, route and status.",
                requests.answered().entrySet().stream()
                        .map(answer -> new Point(
                                answer.getValue(),
                                "method",
                                answer.getKey().method(),
                                "route",
                                answer.getKey().route(),
                                "status",
                                Integer.toString(answer.getKey().status())))
                        .toList());
        families.histogram(
                "rowlock_http_request_seconds",
                "How long requests took, by method and route.",
                requests.durations().entrySet().stream()
                        .map(route -> new Spread(
                                route.getValue().read(),
                                "method",
                                route.getKey().method(),
                                "route",
                                route.getKey().route()))
                        .toList());
        families.counter(
                "rowlock_http_requests_refused",
                "Requests to the API that were refused, as too many were served at once.",
                requests.refused());
    }
}
