/** Schedules read and shown before anything is stored. */
@NullMarked
package dev.rowlock.schedule.preview;

import org.jspecify.annotations.NullMarked;
