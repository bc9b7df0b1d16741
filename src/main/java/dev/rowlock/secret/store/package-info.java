/** Sealed secrets in the database, and which names exist. */
@NullMarked
package dev.rowlock.secret.store;

import org.jspecify.annotations.NullMarked;
