package dev.rowlock.access;

import java.util.HashMap;
import java.util.Map;

/** Limit on concurrent use, in total and per caller, so that no caller takes all. Thread-safe. */
public final class Shares {

    private final String what;
    private final int most;
    private final int each;
    private final Map<String, Integer> taken = new HashMap<>();
    private int all;

    /** Creates a limit of which each caller may have a quarter, and at least two. */
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

    /**
     * Returns the name that an unknown caller's shares count under: one for a whole IPv6 network, as its owner has
     * every address.
     */
    public static String ofAddress(String address) {
        return "address " + Guesses.network(address);
    }

    /** Returns the name that a known caller's shares count under, wherever the requests come from. */
    public static String of(Caller caller) {
        return "caller " + caller.name();
    }

    /**
     * Takes a share, which is held until it is closed.
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

    /** Share in use. For one thread. */
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
