/** Freezes as people make, change and end them. */
@NullMarked
package dev.rowlock.freeze.request;

import org.jspecify.annotations.NullMarked;
