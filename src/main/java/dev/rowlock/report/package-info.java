/** What may a person ask? Checks and carries out requests. Knows no HTTP. */
@NullMarked
package dev.rowlock.report;

import org.jspecify.annotations.NullMarked;
