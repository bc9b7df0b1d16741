/**
 * Accounting for every fire time: works out what the schedules of a job asked for through all its versions, and
 * compares it with history and live tasks. Reads only.
 */
@NullMarked
package dev.rowlock.report.verify;

import org.jspecify.annotations.NullMarked;
