/**
 * Tokens and what they stand for: a {@link dev.rowlock.access.Caller} with a role, perhaps limited to
 * namespaces. Each endpoint says which {@link dev.rowlock.access.Permission} it asks for.
 */
@NullMarked
package dev.rowlock.access;

import org.jspecify.annotations.NullMarked;
