package dev.rowlock.http;

import io.javalin.http.Context;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Check of the {@code Host} header, which refuses requests for other hosts with 421, so that a web page cannot reach
 * this server by pointing its own name here (DNS rebinding). Accepted are the listening address and, if it can be
 * reached there, the names of the loopback interface, with the port, and what the operator allows: {@code name} with
 * any port, {@code name:port} with that one.
 */
public final class HostCheck {

    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final Set<String> WILDCARD = Set.of("0.0.0.0", "[::]", "");

    private final Set<String> allowed = new HashSet<>();
    private final Set<String> own = new HashSet<>();

    public HostCheck(String host, List<String> allowedHosts) {
        String listening = bracketed(host.toLowerCase(Locale.ROOT));
        boolean wildcard = WILDCARD.contains(listening);
        if (wildcard || LOOPBACK.contains(listening) || listening.startsWith("127.")) {
            own.addAll(LOOPBACK);
        }
        if (!wildcard) {
            own.add(listening);
        }
        allowedHosts.forEach(h -> allowed.add(h.toLowerCase(Locale.ROOT)));
    }

    /** Refuses other hosts. The port is that of the request's own connection: a stopping server has none any more. */
    public void check(Context ctx) {
        String sent = ctx.header("Host");
        if (!accepts(sent, ctx.req().getLocalPort(), ctx.req().isSecure() ? "443" : "80")) {
            throw new ApiProblem(
                    421,
                    "this server does not answer for the host '" + (sent == null ? "" : sent)
                            + "'; add it to http.allowed-hosts if it should");
        }
    }

    private boolean accepts(@Nullable String sent, int port, String standardPort) {
        if (sent == null) {
            return false;
        }
        String authority = sent.toLowerCase(Locale.ROOT);
        int colon = authority.lastIndexOf(':');
        boolean hasPort = colon > authority.lastIndexOf(']');
        String name = hasPort ? authority.substring(0, colon) : authority;
        String sentPort = hasPort ? authority.substring(colon + 1) : standardPort;
        return (own.contains(name) && sentPort.equals(Integer.toString(port)))
                || allowed.contains(name)
                || allowed.contains(authority);
    }

    private static String bracketed(String host) {
        return host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
    }
}
