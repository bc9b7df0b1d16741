package dev.rowlock.exec;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The starts in a row that the host has refused. Thread-safe. */
final class Refusals {

    private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);
    /** So many in a row are no accident. */
    private static final int MANY = 3;

    private final AtomicInteger count = new AtomicInteger();
    private volatile String last = "";

    void add(String why) {
        last = why;
        if (count.incrementAndGet() == MANY) {
            LOG.warn("The host has refused {} starts in a row; nothing is started until one succeeds: {}", MANY, why);
        }
    }

    /** A process was made. */
    void end() {
        count.set(0);
    }

    /** For people: why none can be made; empty if one can, as far as is known. */
    Optional<String> problem() {
        return count.get() < MANY ? Optional.empty() : Optional.of("no process can be made on this host: " + last);
    }

    /** While nothing is started, only an attempt shows that it would work again. */
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
