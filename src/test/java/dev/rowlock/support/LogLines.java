package dev.rowlock.support;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.slf4j.LoggerFactory;

/** What one class says in the log, while this is open. Other tests run beside this one. */
public final class LogLines implements AutoCloseable {

    private final Logger logger;
    private final ListAppender<ILoggingEvent> appender;

    private LogLines(Class<?> speaker, ListAppender<ILoggingEvent> appender) {
        this.logger = logger(speaker);
        this.appender = appender;
        appender.start();
        logger.addAppender(appender);
    }

    /** Another test may just be the first to log something. */
    private static Logger logger(Class<?> speaker) {
        while (!(LoggerFactory.getLogger(speaker) instanceof Logger)) {
            LockSupport.parkNanos(10_000_000);
        }
        return (Logger) LoggerFactory.getLogger(speaker);
    }

    /** On the thread that calls this. */
    public static LogLines of(Class<?> speaker) {
        Thread speaking = Thread.currentThread();
        return new LogLines(speaker, new ListAppender<>() {
            @Override
            protected void append(ILoggingEvent line) {
                if (Thread.currentThread() == speaking) {
                    super.append(line);
                }
            }
        });
    }

    /** Whoever makes it say so: for what a server's threads say. */
    public static LogLines ofAnyThread(Class<?> speaker) {
        return new LogLines(speaker, new ListAppender<>());
    }

    /** Those of a kind. */
    public List<ILoggingEvent> events(Predicate<ILoggingEvent> kind) {
        return List.copyOf(appender.list).stream().filter(kind).toList();
    }

    /** Level not included. */
    public List<String> texts() {
        return List.copyOf(appender.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
    }
}
