/** Schedules: text in, fire times out. Knows time zones; knows no job, no database, no clock of its own. */
@NullMarked
package dev.rowlock.schedule;

import org.jspecify.annotations.NullMarked;
