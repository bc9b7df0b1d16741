package dev.rowlock.offence.node;

/** An offence, kept to see the rules fail. */
final class Traces {
    io.opentelemetry.api.trace.@org.jspecify.annotations.Nullable Tracer tracer;
}
