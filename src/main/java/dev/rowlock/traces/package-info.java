/**
 * Traces of what a node runs, as OpenTelemetry has them. Nothing of it is loaded unless {@code otel.endpoint} is set,
 * and nothing waits for whoever takes them.
 */
@NullMarked
package dev.rowlock.traces;

import org.jspecify.annotations.NullMarked;
