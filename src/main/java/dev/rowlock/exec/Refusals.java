package dev.rowlock.exec;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Number of starts in a row that the host has refused. Thread-safe. */
final class Refusals {

    private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);
    /** Number of refusals in a row that are no accident. */
    private static final int MANY = 3;

    private final AtomicInteger count = new AtomicInteger();
    private volatile String last = "";

    void add(String why) {
        last = why;
        if (count.incrementAndGet() == MANY) {
            LOG.warn("The host has refused {} starts in a row; nothing is started until one succeeds: {}", MANY, why);
        }
    }

    /** Resets the count, as a process was created. */
    void end() {
        count.set(0);
    }

    /** Returns why none can be created, for people; empty if one can, as far as is known. */
    Optional<String> problem() {
        return count.get() < MANY ? Optional.empty() : Optional.of("no process can be made on this host: " + last);
    }

    /** Tries again: while nothing is started, only an attempt shows that it would work. */
    void tryAgain(Launcher.Starter starter) {
        if (count.get() >= MANY) {
            try {
                starter.probe();
                end();
                LOG.info("The host makes processes again");
            } catch (IOException e) {
                last = String.valueOf(e.getMessage());
            }
        }
    }
}
