package dev.rowlock.traces;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Exporter that logs once that traces are not accepted, and once that they are again. */
final class Delivery implements SpanExporter {

    private static final Logger log = LoggerFactory.getLogger(Delivery.class);

    /**
     * Logger of the library, which logs each failure to standard error; referenced here, as a logger without a
     * reference forgets its level.
     */
    private static final java.util.logging.Logger OF_LIBRARY = java.util.logging.Logger.getLogger("io.opentelemetry");

    private final SpanExporter exporter;
    private final String endpoint;
    private final AtomicBoolean failing = new AtomicBoolean();

    Delivery(SpanExporter exporter, String endpoint) {
        this.exporter = exporter;
        this.endpoint = endpoint;
        OF_LIBRARY.setLevel(Level.OFF);
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
        CompletableResultCode result = exporter.export(spans);
        result.whenComplete(() -> {
            boolean failed = !result.isSuccess();
            if (failing.compareAndSet(!failed, failed)) {
                if (failed) {
                    log.warn(
                            "otel.endpoint {} does not take traces; they are dropped until it does. {}",
                            endpoint,
                            String.valueOf(result.getFailureThrowable()));
                } else {
                    log.info("otel.endpoint {} takes traces again", endpoint);
                }
            }
        });
        return result;
    }

    @Override
    public CompletableResultCode flush() {
        return exporter.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
        return exporter.shutdown();
    }
}
