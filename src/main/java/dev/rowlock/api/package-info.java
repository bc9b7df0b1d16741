/**
 * How is it said over HTTP? Routes, problem documents, tokens at the door.
 */
@NullMarked
package dev.rowlock.api;

import org.jspecify.annotations.NullMarked;
