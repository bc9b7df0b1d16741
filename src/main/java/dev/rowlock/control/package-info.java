/**
 * What may a person ask? Validates and carries out requests: create, change, pause, run, delete, find, kill. Knows no HTTP.
 */
@NullMarked
package dev.rowlock.control;

import org.jspecify.annotations.NullMarked;
