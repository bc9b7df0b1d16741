package dev.rowlock.access;

import java.util.HashMap;
import java.util.Map;

/**
 * Bound of how much of something there is at once, and of how much of that one caller may have: nobody takes all.
 * Thread-safe.
 */
public final class Shares {

    private final String what;
    private final int most;
    private final int each;
    private final Map<String, Integer> taken = new HashMap<>();
    private int all;

    /** The same with a quarter for each caller, and two in any case. */
    public Shares(String what, int most) {
        this(what, most, Math.max(2, most / 4));
    }

    /**
     * @param what is shared, as a plural
     * @param each so much of it one caller may have
     */
    public Shares(String what, int most, int each) {
        this.what = what;
        this.most = most;
        this.each = each;
    }

    /** Name under which shares of a stranger count: one for a whole network of IPv6, as its owner has every address. */
    public static String ofAddress(String address) {
        return "address " + Guesses.network(address);
    }

    /** Name under which shares of somebody who is known count, wherever the requests come from. */
    public static String of(Caller caller) {
        return "caller " + caller.name();
    }

    /**
     * Takes one for as long as it is not closed.
     *
     * @throws Crowded there is none left, or this caller has as many as one may have
     */
    public synchronized Share take(String who) {
        if (all >= most) {
            throw new Crowded(
                    false,
                    "there are " + all + " " + what + " on this node, as many as it serves at once; try again, or ask"
                            + " another node");
        }
        int own = taken.getOrDefault(who, 0);
        if (own >= each) {
            throw new Crowded(
                    true,
                    "you have " + own + " " + what + " on this node, as many as one caller may have at once; wait for"
                            + " one to end, or ask another node");
        }
        taken.put(who, own + 1);
        all++;
        return new Share(who);
    }

    private synchronized void giveBack(String who) {
        taken.computeIfPresent(who, (name, own) -> own == 1 ? null : own - 1);
        all--;
    }

    /** One of what is shared. For use by one thread. */
    public final class Share implements AutoCloseable {

        private final String who;

        private Share(String who) {
            this.who = who;
        }

        @Override
        public void close() {
            giveBack(who);
        }
    }
}
