/**
 * Who is alive? Sessions, the trust a node may put in its own, and what it has observed of the others'. Compares nanoseconds, never\n * instants; knows no SQL.
 */
@NullMarked
package dev.rowlock.cluster;

import org.jspecify.annotations.NullMarked;
