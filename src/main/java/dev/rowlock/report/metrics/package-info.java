/**
 * Metrics of a node, for those who watch many: the counts that the engine and the API keep anyway, a few of the
 * whole cluster, and those of the JVM, as Prometheus reads them. Nothing of it is loaded before somebody asks. Nothing
 * here may wait for the database: what it last said is served, with its age.
 */
@NullMarked
package dev.rowlock.report.metrics;

import org.jspecify.annotations.NullMarked;
