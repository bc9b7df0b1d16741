package dev.rowlock.access;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * How many wrong tokens came from an address of late. Each address may send some at once, and then one now and then; a
 * token that was right from an address is let through from there all the same, as many people may share it. Memory is
 * bounded: what was heard of longest ago is forgotten. For use by several threads.
 */
final class Guesses {

    /** So many wrong ones in a row are answered as any other. */
    static final int AT_ONCE = 10;

    /** One more is forgiven after each of these. */
    static final Duration FORGIVEN = Duration.ofSeconds(6);

    /** How long a token that was right from an address is remembered with it. */
    private static final Duration PROVEN = Duration.ofDays(1);

    /** Whoever has a /48 of IPv6 has 65,536 networks in it. */
    private static final int SITE = 10;

    private static final int MOST_PROVEN = 10_000;

    private final LongSupplier nanoTime;
    private final Allowance networks;
    private final Allowance sites;
    /** Since when. */
    private final Map<String, Long> proven = new Recent<>(MOST_PROVEN);

    Guesses(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.networks = new Allowance(AT_ONCE, FORGIVEN, nanoTime);
        this.sites = new Allowance(AT_ONCE * SITE, FORGIVEN.dividedBy(SITE), nanoTime);
    }

    /** Returns for how long nothing is to be tried from there; zero: it may. */
    Duration wait(String address) {
        Duration network = networks.wait(network(address, 8));
        Duration site = sites.wait(network(address, 6));
        return network.compareTo(site) > 0 ? network : site;
    }

    /** A wrong token came from there. Those that are sent in vain while it has to wait do not make that longer. */
    void wrong(String address) {
        networks.spend(network(address, 8));
        sites.spend(network(address, 6));
    }

    /** This token was right. */
    synchronized void right(String address, String token) {
        proven.put(address + " " + TokenText.hash(token), nanoTime.getAsLong());
    }

    /** Whether this token was right from there within a day. */
    synchronized boolean isProven(String address, String token) {
        Long at = proven.get(address + " " + TokenText.hash(token));
        return at != null && nanoTime.getAsLong() - at < PROVEN.toNanos();
    }

    /** How many addresses are remembered. */
    int size() {
        return networks.size();
    }

    /** Of IPv6, whoever has one address has the other 2^64 of its network, too. */
    static String network(String address) {
        return network(address, 8);
    }

    /** The same, as so many first bytes. */
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
