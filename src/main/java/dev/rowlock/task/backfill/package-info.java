/**
 * Backfills in the database: past fire times of one job that somebody asked to run. They wait in a table of their own,
 * where nothing else of the job sees them, and become tasks one by one as their turns come.
 */
@NullMarked
package dev.rowlock.task.backfill;

import org.jspecify.annotations.NullMarked;
