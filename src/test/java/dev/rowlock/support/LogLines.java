package dev.rowlock.support;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.function.Predicate;
import org.slf4j.LoggerFactory;

/** What one class says in the log, while this is open. */
public final class LogLines implements AutoCloseable {

    private final Logger logger;
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

    private LogLines(Logger logger) {
        this.logger = logger;
    }

    public static LogLines of(Class<?> speaker) {
        LogLines lines = new LogLines((Logger) LoggerFactory.getLogger(speaker));
        lines.appender.start();
        lines.logger.addAppender(lines.appender);
        return lines;
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
