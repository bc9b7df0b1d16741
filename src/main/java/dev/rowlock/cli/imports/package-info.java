/**
 * Parts that the importers share. An entry is an {@code Imported}: a job as a file says it, or none, and what people
 * have to know about it. {@code ImportText} writes them as a file. Changes nothing, and asks nobody.
 */
@NullMarked
package dev.rowlock.cli.imports;

import org.jspecify.annotations.NullMarked;
