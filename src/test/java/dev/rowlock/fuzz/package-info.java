/** An attack on a whole node over HTTP, by a seed: every route with every role, and much that no client would send. */
@NullMarked
package dev.rowlock.fuzz;

import org.jspecify.annotations.NullMarked;
