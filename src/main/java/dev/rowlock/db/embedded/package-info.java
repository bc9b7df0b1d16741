/**
 * The database brought along: unpacks a MariaDB, starts it, shares it among processes, and stops it with the last of
 * them.
 */
@NullMarked
package dev.rowlock.db.embedded;

import org.jspecify.annotations.NullMarked;
