/**
 * Requests to a node: {@code Ask} is a request, {@code Client} sends it, and what comes back is a {@code Reply}, or
 * {@code RequestRefused} and {@code Unreachable} with sentences for people. Knows nothing of commands, and only HTTP.
 */
@NullMarked
package dev.rowlock.cli.client;

import org.jspecify.annotations.NullMarked;
