/**
 * Measurements of the whole product beside its peers and the machine's own limits, all in one call, so that figures can be given as ratios.
 * Compiled beside the tests; nothing of it reaches the jar.
 */
package dev.rowlock.bench;
