/** Alerts in operation: one node at a time raises them, and every node sends. */
@NullMarked
package dev.rowlock.engine.alert;

import org.jspecify.annotations.NullMarked;
