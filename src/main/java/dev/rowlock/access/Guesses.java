package dev.rowlock.access;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
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

    private static final int MOST_ADDRESSES = 10_000;
    private static final int MOST_PROVEN = 10_000;

    private final LongSupplier nanoTime;
    /** When all that came from there will be forgiven. */
    private final Map<String, Long> forgivenAt = bounded(MOST_ADDRESSES);
    /** Since when. */
    private final Map<String, Long> proven = bounded(MOST_PROVEN);

    Guesses(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** How long nothing is to be tried from there; zero: it may. */
    synchronized Duration wait(String address) {
        Long at = forgivenAt.isEmpty() ? null : forgivenAt.get(network(address));
        if (at == null) {
            return Duration.ZERO;
        }
        long debt = at - nanoTime.getAsLong();
        long most = FORGIVEN.multipliedBy(AT_ONCE - 1).toNanos();
        return debt <= most ? Duration.ZERO : Duration.ofNanos(debt - most);
    }

    /** A wrong token came from there. Those that are sent in vain while it has to wait do not make that longer. */
    synchronized void wrong(String address) {
        long now = nanoTime.getAsLong();
        String network = network(address);
        long before = Math.max(forgivenAt.getOrDefault(network, now) - now, 0);
        long most = FORGIVEN.multipliedBy(AT_ONCE).toNanos();
        forgivenAt.put(network, now + Math.min(most, before + FORGIVEN.toNanos()));
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
    synchronized int size() {
        return forgivenAt.size();
    }

    /** Of IPv6, whoever has one address has the other 2^64 of its network, too. */
    private static String network(String address) {
        if (address.indexOf(':') < 0) {
            return address;
        }
        try {
            byte[] bytes = InetAddress.getByName(address).getAddress(); // of a literal: nobody is asked
            return bytes.length == 16 ? HexFormat.of().formatHex(Arrays.copyOf(bytes, 8)) : address;
        } catch (UnknownHostException e) {
            return address; // then it stands for itself
        }
    }

    private static Map<String, Long> bounded(int most) {
        return new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
                return size() > most;
            }
        };
    }
}
