package dev.rowlock.offence.engine;

/** An offence, kept to see the rules fail. */
final class Measures {
    io.micrometer.core.instrument.@org.jspecify.annotations.Nullable MeterRegistry registry;
}
