package dev.rowlock.http;

import java.time.Duration;

/**
 * Part of the heap that requests share. Each takes what it may need before it reads something large, and waits a while
 * if too little is left. Small requests have a lane of their own, as have incoming bodies and outgoing answers, so
 * large requests hold up only large ones; and in each lane a caller has no more than a share. Thread-safe.
 */
public final class RequestMemory {

    private final MemoryLane small;
    private final MemoryLane large;
    private final MemoryLane answers;
    private final MemoryLane bodies;

    /** @param patience how long a request waits for others before it is refused */
    public RequestMemory(long bytes, Duration patience) {
        long fifth = bytes / 5;
        long rest = bytes - 2 * fifth;
        this.small = new MemoryLane(fifth, fifth / 2, patience);
        this.large = new MemoryLane(rest, rest * 2 / 3, patience);
        this.answers = new MemoryLane(fifth, fifth / 2, patience);
        this.bodies = new MemoryLane(bytes / 4, bytes / 8, patience);
    }

    /**
     * Creates the memory with a quarter of the heap of this process, and a sixteenth for bodies: the rest is for its
     * own work.
     */
    public static RequestMemory ofThisProcess() {
        return new RequestMemory(Runtime.getRuntime().maxMemory() / 4, Duration.ofSeconds(10));
    }

    /**
     * Takes memory for a request of this caller: this much, or the caller's whole share if that is less.
     *
     * @throws Refused others need it all the time
     * @throws dev.rowlock.access.Crowded other requests of this caller do
     */
    public MemoryShare take(String who, long bytes) {
        return take(bytes <= small.all() / 4 ? small : large, who, bytes);
    }

    /** Takes memory for the rest of a long body: its client may be slow, and holds nothing else meanwhile. */
    public MemoryShare takeForBody(String who, long bytes) {
        return take(bodies, who, bytes);
    }

    private MemoryShare take(MemoryLane lane, String who, long bytes) {
        long taken = Math.min(lane.all(), bytes);
        lane.take(who, taken);
        return new MemoryShare(lane, who, taken);
    }

    /** Memory of one request, until it is closed. For one thread. */
    public final class MemoryShare implements AutoCloseable {

        private final String who;
        private MemoryLane lane;
        private long bytes;

        private MemoryShare(MemoryLane lane, String who, long bytes) {
            this.lane = lane;
            this.who = who;
            this.bytes = bytes;
        }

        /**
         * Gives back all but an answer of so many bytes, which is yet to be read. It makes way for others' work unless
         * the caller has left too many answers unread.
         */
        public void keepOnly(long answer) {
            long kept = Math.min(bytes, answer);
            if (lane != answers && answers.tryTake(who, kept)) {
                lane.giveBack(who, bytes);
                lane = answers;
            } else {
                lane.giveBack(who, bytes - kept);
            }
            bytes = kept;
        }

        @Override
        public void close() {
            lane.giveBack(who, bytes);
            bytes = 0;
        }
    }
}
