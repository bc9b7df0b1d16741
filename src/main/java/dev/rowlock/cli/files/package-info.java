/**
 * Files of jobs: {@code JobFiles} reads definitions with the place of each field, so that whatever is
 * wrong with it can be pointed at; {@code JobText} writes them. Knows nothing of commands, and asks nobody.
 */
@NullMarked
package dev.rowlock.cli.files;

import org.jspecify.annotations.NullMarked;
