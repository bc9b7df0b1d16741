package dev.rowlock.bench;

import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Repeats one request on several threads for a while, and tells how many it were in a second and how long each took. */
final class Latencies {

    private Latencies() {}

    /** Something that may fail; its number counts up over all threads. */
    interface Request {
        void send(int number) throws Exception;
    }

    static Line measure(double seconds, int threads, Request request) throws InterruptedException {
        int[] micros = new int[2_000_000];
        AtomicInteger numbers = new AtomicInteger();
        AtomicInteger done = new AtomicInteger();
        AtomicInteger failed = new AtomicInteger();
        CountDownLatch ended = new CountDownLatch(threads);
        long began = System.nanoTime();
        for (int i = 0; i < threads; i++) {
            Thread thread = new Thread(() -> {
                while (System.nanoTime() - began < seconds * 1e9 && done.get() < micros.length - threads) {
                    long asked = System.nanoTime();
                    try {
                        request.send(numbers.getAndIncrement());
                    } catch (Exception e) {
                        if (failed.getAndIncrement() == 0) {
                            System.err.println("a request failed: " + e);
                        }
                    }
                    micros[done.getAndIncrement()] = (int) ((System.nanoTime() - asked) / 1000);
                }
                ended.countDown();
            });
            thread.setDaemon(true);
            thread.start();
        }
        ended.await();
        double took = (System.nanoTime() - began) / 1e9;
        return line(Arrays.copyOf(micros, done.get()), failed.get()).with("per_s", done.get() / took);
    }

    /** One request after the other, each after something else that does not count. */
    static Line spaced(int requests, Request before, Request request) throws Exception {
        int[] micros = new int[requests];
        for (int i = 0; i < requests; i++) {
            before.send(i);
            long asked = System.nanoTime();
            request.send(i);
            micros[i] = (int) ((System.nanoTime() - asked) / 1000);
        }
        return line(micros, 0);
    }

    /** @param micros how long each took */
    static Line line(int[] micros, int failed) {
        int[] sorted = micros.clone();
        Arrays.sort(sorted);
        return Line.of("requests", sorted.length)
                .with("failed", failed)
                .with("p50_ms", Starts.percentile(sorted, 0.50))
                .with("p99_ms", Starts.percentile(sorted, 0.99))
                .with("max_ms", Starts.percentile(sorted, 1.0));
    }
}
