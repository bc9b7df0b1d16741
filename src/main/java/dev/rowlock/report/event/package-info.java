/** Events as they happen, for those who listen. */
@NullMarked
package dev.rowlock.report.event;

import org.jspecify.annotations.NullMarked;
