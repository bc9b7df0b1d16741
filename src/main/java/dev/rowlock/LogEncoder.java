package dev.rowlock;

import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.event.KeyValuePair;

/**
 * Encoder of log lines according to {@code log.format}: by its pattern, or as JSON objects. Logback creates it from
 * {@code config/logback.xml} before the settings are read, and again whenever that file changes, so the format is a
 * property of the process.
 */
public final class LogEncoder extends PatternLayoutEncoder {

    private static final JsonFactory JSON = new JsonFactory();

    private static volatile boolean json;

    /** Sets whether each line from now on is a JSON object. */
    static void writeJson(boolean asJson) {
        json = asJson;
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        return json ? object(event) : super.encode(event);
    }

    private static byte[] object(ILoggingEvent event) {
        ByteArrayOutputStream line = new ByteArrayOutputStream(256);
        try (JsonGenerator to = JSON.createGenerator(line)) {
            to.writeStartObject();
            to.writeStringField("time", event.getInstant().toString());
            to.writeStringField("level", event.getLevel().toString());
            to.writeStringField("logger", event.getLoggerName());
            to.writeStringField("thread", event.getThreadName());
            to.writeStringField("message", event.getFormattedMessage());
            for (Map.Entry<String, Object> field : fields(event).entrySet()) {
                if (field.getValue() instanceof Long number) {
                    to.writeNumberField(field.getKey(), number);
                } else {
                    to.writeStringField(field.getKey(), String.valueOf(field.getValue()));
                }
            }
            if (event.getThrowableProxy() != null) {
                to.writeStringField("exception", ThrowableProxyUtil.asString(event.getThrowableProxy()));
            }
            to.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("memory does not fail", e);
        }
        line.write('\n');
        return line.toByteArray();
    }

    /**
     * Returns the fields, each once: of the thread, such as a request, and of the line itself, such as a job, a task
     * and a launch.
     */
    private static Map<String, Object> fields(ILoggingEvent event) {
        Map<String, Object> fields = new LinkedHashMap<>(event.getMDCPropertyMap());
        if (event.getKeyValuePairs() != null) {
            for (KeyValuePair pair : event.getKeyValuePairs()) {
                fields.put(pair.key, pair.value);
            }
        }
        return fields;
    }
}
