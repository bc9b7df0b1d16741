/**
 * Who is to be told of what, and when? Rules and facts in, decisions and texts out: no I/O, no clock. {@code
 * store.alert} reads the facts and writes what was decided; {@code engine.alert} does both again and again; {@code
 * send} carries the message.
 */
@NullMarked
package dev.rowlock.alert;

import org.jspecify.annotations.NullMarked;
