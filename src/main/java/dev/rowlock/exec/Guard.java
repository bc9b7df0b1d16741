package dev.rowlock.exec;

import dev.rowlock.exec.process.Uptime;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Helper process that kills this session's commands when the JVM cannot: past the deadline that it was last fed, or
 * when the JVM is gone. It has a process session of its own and ignores signals; it ends when the daemon is dead and
 * three sweeps have found nothing. Thread-safe.
 */
public final class Guard implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Guard.class);
    private static final long ANSWER_WITHIN_MILLIS = 5_000;
    private static final String SCRIPT = Shell.resource("guard.sh");

    private String sessionId;
    private long deadline;
    private Process process;
    private int unanswered;
    private long askedAtMillis;
    private boolean condemned;
    private boolean closed;

    private Guard(String sessionId, long deadline, Process process) {
        this.sessionId = sessionId;
        this.deadline = deadline;
        this.process = process;
    }

    /** Starts the helper and waits until it guards. Throws {@link UncheckedIOException} if it cannot. */
    public static Guard start(String sessionId, long deadlineUptimeMillis) {
        try {
            Guard guard = new Guard(checked(sessionId), deadlineUptimeMillis, spawn());
            if (!guard.isArmed()) {
                guard.process.destroyForcibly();
                throw new IOException("it does not answer");
            }
            return guard;
        } catch (IOException e) {
            throw new UncheckedIOException("the guard process cannot be started: " + e.getMessage(), e);
        }
    }

    /**
     * Feeds a later deadline: {@link Uptime#millis()} before the renewal was requested, plus the fence. Does nothing
     * for a session that is {@link #condemned()}. Restarts the helper if it is gone.
     */
    public synchronized void feed(long deadlineUptimeMillis) {
        deadline = deadlineUptimeMillis;
        if (ensureAlive()) {
            sayWhoIsGuarded();
        }
    }

    /** Names the new session that the daemon has joined as. Whatever carries the previous session's id is killed. */
    public synchronized void renamed(String newSessionId, long deadlineUptimeMillis) {
        sessionId = checked(newSessionId);
        deadline = deadlineUptimeMillis;
        hear();
        condemned = false;
        if (ensureAlive()) {
            sayWhoIsGuarded();
        }
    }

    /** Returns whether the helper exists and has answered its last message within five seconds. */
    synchronized boolean isAlive() {
        hear();
        return process.isAlive() && (unanswered == 0 || Uptime.millis() - askedAtMillis < ANSWER_WITHIN_MILLIS);
    }

    /** Restarts the helper if it is gone. Returns false if that failed: then nothing may be started. */
    public synchronized boolean ensureAlive() {
        if (closed) {
            return false;
        }
        if (isAlive()) {
            return true;
        }
        LOG.warn("The guard process {} is gone or does not answer; starting another", pid());
        process.destroyForcibly();
        try {
            process = spawn();
            unanswered = 0;
            return isArmed();
        } catch (IOException e) {
            LOG.error("The guard process cannot be started, so no command will be: {}", e.getMessage());
            return false;
        }
    }

    /**
     * Returns whether the helper saw the deadline pass, and has killed everything: whatever carries the session's id is
     * killed until a new session is named.
     */
    public synchronized boolean condemned() {
        hear();
        return condemned;
    }

    /** Returns the process id of the helper. */
    synchronized long pid() {
        return process.pid();
    }

    /** Closes the helper, which kills what is left of the session and ends. Waits for that for up to three seconds. */
    @Override
    public synchronized void close() {
        closed = true;
        try {
            process.getOutputStream().close();
            process.onExit().get(3, TimeUnit.SECONDS);
        } catch (IOException | TimeoutException | ExecutionException e) {
            LOG.warn("The guard process {} goes on after the end of the daemon: {}", process.pid(), e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Process spawn() throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(Shell.setsid(), Shell.bash(), "-c", "eval \"$ROWLOCK_GUARD\"", "rowlock-guard");
        builder.environment().clear();
        builder.environment().put("LC_ALL", "C");
        builder.environment().put("ROWLOCK_GUARD", SCRIPT);
        builder.directory(new File("/"));
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        return builder.start();
    }

    /** Names the session to a new helper, and waits for its answer: from then on it guards. */
    private boolean isArmed() {
        sayWhoIsGuarded();
        long until = Uptime.millis() + ANSWER_WITHIN_MILLIS;
        while (unanswered > 0 && process.isAlive() && Uptime.millis() < until) {
            process.onExit()
                    .completeOnTimeout(process, 2, TimeUnit.MILLISECONDS)
                    .join();
            hear();
        }
        return unanswered == 0 && process.isAlive();
    }

    private void sayWhoIsGuarded() {
        say("session " + sessionId + " " + deadline);
    }

    private void say(String line) {
        if (unanswered == 0) {
            askedAtMillis = Uptime.millis();
        }
        unanswered++;
        OutputStream out = process.getOutputStream();
        try {
            out.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
            out.flush();
        } catch (IOException e) {
            LOG.warn("The guard process {} cannot be told \"{}\": {}", process.pid(), line, e.getMessage());
            process.destroyForcibly();
        }
    }

    /** Reads the answers that have come, without waiting for any. */
    private void hear() {
        InputStream in = process.getInputStream();
        try {
            byte[] answers = in.readNBytes(in.available());
            for (String answer :
                    new String(answers, StandardCharsets.US_ASCII).lines().toList()) {
                if (!answer.startsWith("expired ")) {
                    unanswered = Math.max(0, unanswered - 1);
                    askedAtMillis = Uptime.millis();
                }
                if (answer.endsWith(" " + sessionId)) {
                    condemned = !answer.startsWith("ok ");
                }
            }
        } catch (IOException e) {
            LOG.debug("No answers from the guard process {}: {}", process.pid(), e.getMessage());
        }
    }

    private static String checked(String sessionId) {
        if (!sessionId.matches("[A-Za-z0-9._-]{1,200}")) {
            throw new IllegalArgumentException(
                    "session id \"" + sessionId + "\" must be 1 to 200 letters, digits, dots, dashes or underscores");
        }
        return sessionId;
    }
}
