package dev.rowlock;

import dev.rowlock.cli.call.ExitCode;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signals SIGTERM, SIGINT and SIGHUP, which a terminal sends when it is closed: the first asks the daemon to stop in
 * order, a second ends the process at once (the guard then kills its commands). A second SIGHUP does not: whoever
 * closes a terminal wants nothing more. A process started to ignore one, as with nohup, goes on ignoring it. By
 * reflection: only {@code sun.misc.Signal} shows a second signal, and the compiler warns of it.
 */
final class StopSignals {

    private static final Logger log = LoggerFactory.getLogger(StopSignals.class);
    /**
     * Time within which a signal counts as the same request: {@code timeout} and some supervisors signal a process and
     * then its group.
     */
    private static final Duration SAME = Duration.ofMillis(300);

    private static final String HANG_UP = "HUP";

    private final CountDownLatch asked = new CountDownLatch(1);
    private @Nullable Long firstNanos;

    /** Installs the handlers. */
    static StopSignals install() {
        StopSignals signals = new StopSignals();
        for (String name : new String[] {"TERM", "INT", HANG_UP}) {
            try {
                signals.handle(name);
            } catch (ReflectiveOperationException e) {
                log.warn(
                        "SIG{} cannot be handled; it ends the process without an orderly stop: {}", name, e.toString());
            }
        }
        return signals;
    }

    /** Asks for a stop from within. */
    void ask() {
        asked.countDown();
    }

    /** Waits until a stop is asked for. */
    void await() {
        try {
            asked.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void handle(String name) throws ReflectiveOperationException {
        Class<?> signal = Class.forName("sun.misc.Signal");
        Class<?> handler = Class.forName("sun.misc.SignalHandler");
        Object ours = Proxy.newProxyInstance(
                StopSignals.class.getClassLoader(),
                new Class<?>[] {handler},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "handle" -> {
                        arrived(name);
                        yield null;
                    }
                    case "equals" -> arguments != null && proxy == arguments[0];
                    case "hashCode" -> System.identityHashCode(proxy);
                    default -> "StopSignals";
                });
        signal.getMethod("handle", signal, handler)
                .invoke(null, signal.getConstructor(String.class).newInstance(name), ours);
    }

    private synchronized void arrived(String name) {
        long now = System.nanoTime();
        if (asked.getCount() > 0 || firstNanos == null) {
            log.info("SIG{}: stopping", name);
            firstNanos = now;
            asked.countDown();
        } else if (now - firstNanos > SAME.toNanos() && !name.equals(HANG_UP)) {
            log.warn("SIG{} again: ending at once", name);
            Runtime.getRuntime().halt(ExitCode.KILLED);
        }
    }
}
