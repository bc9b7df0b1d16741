package dev.rowlock.chaos;

import dev.rowlock.exec.process.Uptime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** How long this machine let somebody wait who only wanted to wake up: what no program can be blamed for. */
final class Stalls implements Runnable {

    private static final long EVERY_MILLIS = 100;
    private static final long WORTH_NOTING_MILLIS = 50;

    private final CountDownLatch stop;
    private final List<Stall> stalls = new ArrayList<>();

    private record Stall(long fromMillis, long untilMillis) {}

    Stalls(CountDownLatch stop) {
        this.stop = stop;
    }

    @Override
    public void run() {
        try {
            long before = Uptime.millis();
            while (!stop.await(EVERY_MILLIS, TimeUnit.MILLISECONDS)) {
                long now = Uptime.millis();
                if (now - before > EVERY_MILLIS + WORTH_NOTING_MILLIS) {
                    note(before + EVERY_MILLIS, now);
                }
                before = now;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Notes one that somebody else has seen, on the scale of {@code /proc/uptime}. */
    synchronized void note(long from, long until) {
        stalls.add(new Stall(from, until));
    }

    /** How much of this stretch of uptime nobody got who waited for it. */
    synchronized long within(long from, long until) {
        return stalls.stream()
                .mapToLong(s -> Math.max(0, Math.min(s.untilMillis, until) - Math.max(s.fromMillis, from)))
                .sum();
    }
}
