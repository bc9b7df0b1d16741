package dev.rowlock.alert.send;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Allowed destinations of requests: neither this host, nor what only this host's network should reach, unless the
 * operator allows it. The returned addresses are those that were checked; the caller connects to them without asking a
 * name server again.
 */
public final class Destinations {

    /** Loopback, "this host", link-local, metadata services of clouds, multicast, broadcast. */
    private static final List<AddressRange> REFUSED = List.of(
                    "0.0.0.0/8",
                    "127.0.0.0/8",
                    "169.254.0.0/16",
                    "100.100.100.200",
                    "168.63.129.16",
                    "192.0.0.192",
                    "224.0.0.0/4",
                    "255.255.255.255",
                    "::",
                    "::1",
                    "fe80::/10",
                    "fec0::/10",
                    "fd00:ec2::/32",
                    "fd20:ce::/32",
                    "ff00::/8")
            .stream()
            .map(text -> AddressRange.parse(text).orElseThrow())
            .toList();

    /** Ranges of IPv6 with an IPv4 address inside, and the byte at which it begins. */
    private static final List<EmbeddedRange> EMBEDDED = List.of(
            new EmbeddedRange(AddressRange.parse("::/96").orElseThrow(), 12),
            new EmbeddedRange(AddressRange.parse("::ffff:0:0:0/96").orElseThrow(), 12),
            new EmbeddedRange(AddressRange.parse("64:ff9b::/96").orElseThrow(), 12),
            new EmbeddedRange(AddressRange.parse("64:ff9b:1::/48").orElseThrow(), 12),
            new EmbeddedRange(AddressRange.parse("2002::/16").orElseThrow(), 2));

    private record EmbeddedRange(AddressRange range, int at) {}

    private final List<AddressRange> allowed;
    private final Set<String> allowedHosts;
    private final Resolver resolver;

    /** Lookup of a host's addresses. */
    @FunctionalInterface
    public interface Resolver {
        InetAddress[] resolve(String host) throws UnknownHostException;
    }

    /** @param allowed addresses, ranges such as {@code 10.0.0.0/8}, and host names, that are not refused */
    public Destinations(List<String> allowed, Resolver resolver) {
        this.allowed = allowed.stream()
                .map(AddressRange::parse)
                .flatMap(Optional::stream)
                .toList();
        this.allowedHosts =
                allowed.stream().map(host -> host.toLowerCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet());
        this.resolver = resolver;
    }

    /** Returns the addresses to connect to, all of them checked. */
    List<InetAddress> of(String host) throws NotSent {
        String bare = bare(host);
        InetAddress[] found;
        try {
            found = AddressRange.literal(bare)
                    .map(one -> new InetAddress[] {one})
                    .orElse(null);
            if (found == null) {
                found = resolver.resolve(bare);
            }
        } catch (UnknownHostException e) {
            throw new NotSent("host " + bare + " is not known", e);
        }
        if (found.length == 0) {
            throw new NotSent("host " + bare + " has no address");
        }
        for (InetAddress address : found) {
            if (isRefused(bare, address)) {
                throw new NotSent(refusal(bare, address));
            }
        }
        return Arrays.asList(found);
    }

    /** Returns what is wrong with a URL, as far as that can be told without a name server; null: nothing. */
    public @Nullable String problem(String url) {
        String host = bare(String.valueOf(URI.create(url).getHost()));
        InetAddress address = AddressRange.literal(host).orElse(null);
        if (address == null && (host.equalsIgnoreCase("localhost") || host.endsWith(".localhost"))) {
            address = InetAddress.getLoopbackAddress();
        }
        return address != null && isRefused(host, address) ? refusal(host, address) : null;
    }

    private boolean isRefused(String host, InetAddress address) {
        if (allowedHosts.contains(host.toLowerCase(Locale.ROOT))
                || allowed.stream().anyMatch(range -> range.holds(address))) {
            return false;
        }
        return REFUSED.stream().anyMatch(range -> range.holds(address))
                || EMBEDDED.stream().anyMatch(e -> e.range.holds(address) && isRefused(host, inner(address, e.at)));
    }

    private static InetAddress inner(InetAddress address, int at) {
        try {
            return InetAddress.getByAddress(Arrays.copyOfRange(address.getAddress(), at, at + 4));
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String refusal(String host, InetAddress address) {
        String shown = address.getHostAddress();
        return (host.equals(shown) ? shown : host + " (" + shown + ")")
                + " is loopback, link-local, multicast or a metadata service, which are refused; an operator can allow"
                + " it with alerts.allow-internal";
    }

    private static String bare(String host) {
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }
}
