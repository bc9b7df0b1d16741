/**
 * Definition of a job, as values: no I/O, no clock.
 *
 * <p>{@link dev.rowlock.definition.JobFields} declares each field of a job once. {@link
 * dev.rowlock.definition.StoredDefinition} reads what is stored and keeps what it does not understand; its {@code
 * parse} and {@code changedTo} read what people send, and refuse that.
 */
@NullMarked
package dev.rowlock.definition;

import org.jspecify.annotations.NullMarked;
