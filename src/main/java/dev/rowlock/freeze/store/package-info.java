/** Freezes in the database, and as a node knows them. */
@NullMarked
package dev.rowlock.freeze.store;

import org.jspecify.annotations.NullMarked;
