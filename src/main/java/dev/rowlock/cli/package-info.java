/**
 * How is it said in a terminal? Every command of scripts/rowlock is a class here: its options, its help, its example. {@code Commands} lists
 * them and holds what they share, {@code ExitCode} is how they end, and {@code Needs} is what a few of them ask of rooms that this one does not
 * open onto. Nobody else knows picocli, which reads the command line.
 */
@NullMarked
package dev.rowlock.cli;

import org.jspecify.annotations.NullMarked;
