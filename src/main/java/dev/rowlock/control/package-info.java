/** What may a person ask? Checks and carries out requests. Knows no HTTP. */
@NullMarked
package dev.rowlock.control;

import org.jspecify.annotations.NullMarked;
