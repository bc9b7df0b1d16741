/**
 * What is to be run, and in which state is it? Jobs, tasks, their states, outcomes and policies, and the JSON form of a definition.\n * Values only: no I/O, no clock.
 */
@NullMarked
package dev.rowlock.job;

import org.jspecify.annotations.NullMarked;
