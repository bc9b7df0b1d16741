/**
 * Secrets: how their values are sealed for the database, found on this node, and hidden in what commands write. Knows
 * neither the database nor processes.
 */
@NullMarked
package dev.rowlock.secret;

import org.jspecify.annotations.NullMarked;
