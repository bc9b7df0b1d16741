/** Secrets as people set, list and delete them, and who uses each. */
@NullMarked
package dev.rowlock.secret.request;

import org.jspecify.annotations.NullMarked;
