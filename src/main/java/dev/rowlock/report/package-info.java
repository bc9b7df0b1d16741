/**
 * Answers for people about the whole cluster: overview, statistics, forecasts, nodes, audit, readiness. Reads only,
 * but for what is asked of a node.
 */
@NullMarked
package dev.rowlock.report;

import org.jspecify.annotations.NullMarked;
