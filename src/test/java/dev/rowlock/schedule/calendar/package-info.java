@NullMarked
package dev.rowlock.schedule.calendar;

import org.jspecify.annotations.NullMarked;
