/**
 * Who may ask? The admin token, and whether what a request carries is it.
 */
@NullMarked
package dev.rowlock.access;

import org.jspecify.annotations.NullMarked;
