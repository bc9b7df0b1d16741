/**
 * How is it said in a terminal? The commands of scripts/rowlock other than the daemon itself.
 */
@NullMarked
package dev.rowlock.cli;

import org.jspecify.annotations.NullMarked;
