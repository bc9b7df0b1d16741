/**
 * How is it said in a terminal? Every command of scripts/rowlock is a class here; {@code Commands} lists them, {@code
 * ExitCode} is how they end, and {@code Needs} is what they ask of rooms that this one does not open onto.
 */
@NullMarked
package dev.rowlock.cli;

import org.jspecify.annotations.NullMarked;
