package dev.rowlock.offence.engine;

/** An offence, kept to see the rules fail. */
final class Traces {
    io.opentelemetry.api.trace.@org.jspecify.annotations.Nullable Tracer tracer;
}
