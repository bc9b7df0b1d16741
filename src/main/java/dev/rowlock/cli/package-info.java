/**
 * Command line. Every command of scripts/rowlock is a class here or in a room of its own; {@code Commands} lists
 * them, {@code ExitCode} is how they end, and {@code Needs} is what they ask of rooms that this one does not open
 * onto.
 *
 * <p>Most commands are a {@code Remote}: they ask a node over HTTP, load no class of the server, and are listed in
 * {@code RemoteCommands}. What changes something is a {@code Change}, which knows {@code --dry-run}, or a {@code
 * Change.Dangerous}, which asks first.
 */
@NullMarked
package dev.rowlock.cli;

import org.jspecify.annotations.NullMarked;
