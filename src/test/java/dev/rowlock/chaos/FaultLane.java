package dev.rowlock.chaos;

import dev.rowlock.chaos.Plan.Planned;
import dev.rowlock.exec.process.Uptime;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Carries out the planned faults of one lane, on a thread of its own. */
final class FaultLane implements Runnable {

    private final List<Planned> plan;
    private final Faults faults;
    private final long startNanos;
    private final CountDownLatch stop;
    private final Consumer<Injected> injected;
    private final Findings findings;

    /** Makes a planned fault, at the moment at which it is to begin. */
    interface Faults {
        Fault of(Planned planned) throws Exception;
    }

    FaultLane(
            List<Planned> plan,
            Faults faults,
            long startNanos,
            CountDownLatch stop,
            Consumer<Injected> injected,
            Findings findings) {
        this.plan = plan;
        this.faults = faults;
        this.startNanos = startNanos;
        this.stop = stop;
        this.injected = injected;
        this.findings = findings;
    }

    @Override
    public void run() {
        try {
            for (Planned planned : plan) {
                long wait = startNanos + TimeUnit.MILLISECONDS.toNanos(planned.atMillis()) - System.nanoTime();
                if (stop.await(Math.max(0, wait), TimeUnit.NANOSECONDS)) {
                    return;
                }
                inject(planned);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception | AssertionError e) {
            findings.add(Findings.Kind.NODE, "the harness itself failed while it injected a fault: " + Texts.trace(e));
        }
    }

    private void inject(Planned planned) throws Exception {
        long from = Uptime.millis();
        try {
            Fault fault = faults.of(planned);
            disturb(planned, fault);
            injected.accept(done(planned.kind(), fault, from));
        } catch (Fault.Skipped e) {
            injected.accept(new Injected(planned.kind(), e.getMessage(), from, from, from, List.of(), e.getMessage()));
        } catch (java.sql.SQLException e) {
            // Another lane had the database away while this fault was being made.
            findings.note(planned.kind() + " was skipped, as the database was away: " + e.getMessage());
        }
    }

    private void disturb(Planned planned, Fault fault) throws Exception {
        try {
            fault.begin();
            boolean unused = stop.await(planned.forMillis(), TimeUnit.MILLISECONDS);
        } catch (java.sql.SQLException e) {
            // Another lane has the database away: this fault has to do without what it wanted of it.
            findings.note(planned.kind() + " was only half done, as the database was away: " + e.getMessage());
        } finally {
            end(fault);
        }
    }

    private static Injected done(FaultKind kind, Fault fault, long from) {
        long good = fault.goodFrom() < 0 ? -1 : Math.max(from, fault.goodFrom());
        return new Injected(kind, fault.what(), from, Uptime.millis(), good, fault.complaints(), null);
    }

    private void end(Fault fault) throws Exception {
        try {
            fault.end();
        } catch (java.sql.SQLException e) {
            findings.note("the end of '" + fault.what() + "' found the database away: " + e.getMessage());
        }
    }
}
