package dev.rowlock.node.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.rowlock.cluster.Lease.Trust;
import dev.rowlock.exec.Guard;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Guard of this node's session: a process that kills the session's commands when this JVM cannot. It acts when the
 * deadline that it was fed has passed, when this JVM dies, or when it is named another session. Thread-safe; takes no
 * lock that a loop may hold while it waits for the database.
 */
public final class SessionGuard implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(SessionGuard.class);

    @GuardedBy("this")
    private @Nullable Guard guard;

    @GuardedBy("this")
    private String guarded = "";

    synchronized void joined(Trust trust) {
        if (guard == null) {
            guard = Guard.start(trust.sessionId(), trust.deadlineUptimeMillis());
        } else {
            guard.renamed(trust.sessionId(), trust.deadlineUptimeMillis());
        }
        guarded = trust.sessionId();
    }

    /**
     * Feeds the guard; starts it, or names the session to it, if that failed before. Call before the trust itself is
     * renewed: a JVM that is frozen between the two must not trust its session for longer than the guard does.
     */
    synchronized void renewed(Trust trust) {
        if (guard == null || !guarded.equals(trust.sessionId())) {
            joined(trust);
        } else {
            guard.feed(trust.deadlineUptimeMillis());
        }
    }

    /** Returns whether commands may be started. */
    public synchronized boolean stands() {
        return guard != null && !guard.condemned() && guard.ensureAlive();
    }

    /** Returns whether the guard has begun to kill this session's commands, and will go on until another is named. */
    synchronized boolean isClosed() {
        return guard != null && guard.condemned();
    }

    /** Replaces a guard that is gone: while the database is away nothing feeds it, and so nothing else would. */
    synchronized void keep() {
        if (guard != null && !guard.ensureAlive()) {
            log.debug("no guard stands by the commands of this node");
        }
    }

    @Override
    public synchronized void close() {
        if (guard != null) {
            guard.close();
        }
    }
}
