package dev.rowlock.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Request to the API, not sent yet. */
public final class Ask {

    private final String method;
    private final StringBuilder target;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private boolean queried;
    private @Nullable JsonNode body;

    private Ask(String method, String target) {
        this.method = method;
        this.target = new StringBuilder(target);
    }

    /**
     * @param path below {@code /api/v1}, with {@code {}} for each segment
     * @param segments as they are; they are encoded here
     */
    public static Ask of(String method, String path, Object... segments) {
        StringBuilder whole = new StringBuilder("/api/v1");
        int next = 0;
        for (String part : path.split("\\{}", -1)) {
            whole.append(part);
            if (next < segments.length) {
                whole.append(encoded(segments[next++].toString()));
            }
        }
        return new Ask(method, whole.toString());
    }

    public static Ask get(String path, Object... segments) {
        return of("GET", path, segments);
    }

    /** Returns a request for a path outside of {@code /api/v1}. */
    public static Ask outside(String path) {
        return new Ask("GET", path);
    }

    /** @param value null: the parameter is left out */
    public Ask with(String parameter, @Nullable Object value) {
        if (value != null) {
            target.append(queried ? '&' : '?')
                    .append(parameter)
                    .append('=')
                    .append(URLEncoder.encode(value.toString(), StandardCharsets.UTF_8));
            queried = true;
        }
        return this;
    }

    /** @param value null: the header is left out */
    public Ask header(String name, @Nullable String value) {
        if (value != null) {
            headers.put(name, value);
        }
        return this;
    }

    public Ask body(JsonNode sent) {
        body = sent;
        return this;
    }

    /** Returns a segment of a path, encoded: there, a blank is not a plus. */
    private static String encoded(String segment) {
        return URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20");
    }

    public String method() {
        return method;
    }

    /** Returns the path and the query. */
    public String target() {
        return target.toString();
    }

    public @Nullable JsonNode body() {
        return body;
    }

    Map<String, String> headers() {
        return headers;
    }

    @Override
    public String toString() {
        return method + " " + target;
    }
}
