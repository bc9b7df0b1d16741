/**
 * Sessions in the database: joining, beating, leaving, expiring, and what nodes tell each other through the table
 * of settings.
 */
@NullMarked
package dev.rowlock.cluster.store;

import org.jspecify.annotations.NullMarked;
