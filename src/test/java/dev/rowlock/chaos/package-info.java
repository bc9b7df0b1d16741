/**
 * A fault-injection run: real nodes, a real database, hundreds of commands that leave marks of their own, faults by a seed, and a checker
 * that compares marks, history and schedules and trusts nothing that the product says about itself. {@code scripts/chaos} runs it.
 */
@NullMarked
package dev.rowlock.chaos;

import org.jspecify.annotations.NullMarked;
