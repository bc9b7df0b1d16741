package dev.rowlock.access;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Recent wrong tokens by address. Each address may send a burst, then one now and then; a token that was right from an
 * address is always let through from there, as many people may share the address. Memory is bounded: the least recently
 * used is forgotten. Thread-safe.
 */
final class Guesses {

    /** Number of wrong tokens in a row that are answered without delay. */
    static final int AT_ONCE = 10;

    /** Time after which one more guess is forgiven. */
    static final Duration FORGIVEN = Duration.ofSeconds(6);

    /** Time for which a right token is remembered with its address. */
    private static final Duration PROVEN = Duration.ofDays(1);

    /** Bytes of a site's prefix: whoever owns an IPv6 /48 has 65,536 networks. */
    private static final int SITE = 10;

    private static final int MOST_PROVEN = 10_000;

    private final LongSupplier nanoTime;
    private final Allowance networks;
    private final Allowance sites;
    /** Time at which each token was last right from an address. */
    private final Map<String, Long> proven = new Recent<>(MOST_PROVEN);

    Guesses(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.networks = new Allowance(AT_ONCE, FORGIVEN, nanoTime);
        this.sites = new Allowance(AT_ONCE * SITE, FORGIVEN.dividedBy(SITE), nanoTime);
    }

    /** Returns how long nothing may be tried from this address; zero if it may be now. */
    Duration wait(String address) {
        Duration network = networks.wait(network(address, 8));
        Duration site = sites.wait(network(address, 6));
        return network.compareTo(site) > 0 ? network : site;
    }

    /** Counts a wrong token. Tokens sent in vain while the address has to wait do not lengthen the wait. */
    void wrong(String address) {
        networks.spend(network(address, 8));
        sites.spend(network(address, 6));
    }

    /** Remembers that this token was right from this address. */
    synchronized void right(String address, String token) {
        proven.put(address + " " + TokenText.hash(token), nanoTime.getAsLong());
    }

    /** Returns whether this token was right from this address within the last day. */
    synchronized boolean isProven(String address, String token) {
        Long at = proven.get(address + " " + TokenText.hash(token));
        return at != null && nanoTime.getAsLong() - at < PROVEN.toNanos();
    }

    /** Returns the number of remembered addresses. */
    int size() {
        return networks.size();
    }

    /** Returns the network of an address: whoever has one IPv6 address has the other 2^64 of its network, too. */
    static String network(String address) {
        return network(address, 8);
    }

    /** Returns the first bytes of an IPv6 address; an IPv4 address stands for itself. */
    private static String network(String address, int bytes) {
        if (address.indexOf(':') < 0) {
            return address;
        }
        try {
            byte[] all = InetAddress.getByName(address).getAddress(); // of a literal: nobody is asked
            return all.length == 16 ? HexFormat.of().formatHex(Arrays.copyOf(all, bytes)) : address;
        } catch (UnknownHostException e) {
            return address; // then it stands for itself
        }
    }
}
