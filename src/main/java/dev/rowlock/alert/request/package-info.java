/** Alerts, rules, channels and silences as people read and change them. */
@NullMarked
package dev.rowlock.alert.request;

import org.jspecify.annotations.NullMarked;
