/**
 * Import of crontabs: {@code Crontab} reads them as cron does, and writes jobs as files say them,
 * with a comment for whatever means something else here. Changes nothing, and asks nobody.
 */
@NullMarked
package dev.rowlock.cli.crontab;

import org.jspecify.annotations.NullMarked;
