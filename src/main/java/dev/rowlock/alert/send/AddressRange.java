package dev.rowlock.alert.send;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Optional;

/** Range of addresses with a common prefix, as in {@code 169.254.0.0/16}; without a length, one address. */
@SuppressWarnings("ArrayRecordComponent") // it compares them itself
record AddressRange(byte[] network, int bits) {

    /** Parses a range; empty if it is none. */
    static Optional<AddressRange> parse(String text) {
        String[] parts = text.split("/", 2);
        Optional<InetAddress> address = literal(parts[0]);
        if (address.isEmpty()) {
            return Optional.empty();
        }
        byte[] network = address.get().getAddress();
        int most = network.length * 8;
        int bits = parts.length == 1 ? most : parts[1].matches("\\d{1,3}") ? Integer.parseInt(parts[1]) : -1;
        return bits < 0 || bits > most ? Optional.empty() : Optional.of(new AddressRange(network, bits));
    }

    /** Parses a literal address, which needs no name server. */
    static Optional<InetAddress> literal(String text) {
        String bare = text.startsWith("[") && text.endsWith("]") ? text.substring(1, text.length() - 1) : text;
        if (!bare.matches("\\d{1,3}(\\.\\d{1,3}){3}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*")) {
            return Optional.empty();
        }
        try {
            return Optional.of(InetAddress.getByName(bare));
        } catch (UnknownHostException e) {
            return Optional.empty(); // it only looked like one
        }
    }

    boolean holds(InetAddress address) {
        byte[] other = address.getAddress();
        if (other.length != network.length) {
            return false;
        }
        int whole = bits / 8;
        if (!Arrays.equals(network, 0, whole, other, 0, whole)) {
            return false;
        }
        int rest = bits % 8;
        int mask = 0xff << (8 - rest) & 0xff;
        return rest == 0 || (network[whole] & mask) == (other[whole] & mask);
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof AddressRange other && bits == other.bits && Arrays.equals(network, other.network);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(network) + bits;
    }

    @Override
    public String toString() {
        return Arrays.toString(network) + "/" + bits;
    }
}
