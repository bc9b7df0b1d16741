/**
 * Rules of alerts: who is to be told of what, and when. Rules and facts in, decisions and texts out: no I/O, no
 * clock. {@code alert.store} reads the facts and writes what was decided; {@code alert.send} does both again and
 * again, and carries the message.
 */
@NullMarked
package dev.rowlock.alert;

import org.jspecify.annotations.NullMarked;
