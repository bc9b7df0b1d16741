package dev.rowlock.offence.node;

/** An offence, kept to see the rules fail. */
final class Measures {
    io.micrometer.core.instrument.@org.jspecify.annotations.Nullable MeterRegistry registry;
}
