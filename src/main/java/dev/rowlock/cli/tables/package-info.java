/**
 * Import from schedulers that keep their jobs in a database: {@code TableText} reads exports, {@code
 * QuartzImport} and {@code XxlJobImport} say what the rows mean. Changes nothing, and asks nobody.
 */
@NullMarked
package dev.rowlock.cli.tables;

import org.jspecify.annotations.NullMarked;
