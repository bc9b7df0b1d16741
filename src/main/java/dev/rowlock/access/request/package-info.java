/** Tokens and sign-ins over HTTP: making, listing and withdrawing them. */
@NullMarked
package dev.rowlock.access.request;

import org.jspecify.annotations.NullMarked;
