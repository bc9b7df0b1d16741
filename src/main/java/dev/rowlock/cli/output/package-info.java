/**
 * Output for a terminal and for programs: {@code Printer} writes what the API answered in the format
 * that was asked for: a table, or the API's own JSON. Knows nothing of commands, and asks nobody.
 */
@NullMarked
package dev.rowlock.cli.output;

import org.jspecify.annotations.NullMarked;
