/**
 * Who is alive: sessions that join, beat, leave and expire, and what nodes tell each other through the table of
 * settings.
 */
@NullMarked
package dev.rowlock.cluster.store;

import org.jspecify.annotations.NullMarked;
