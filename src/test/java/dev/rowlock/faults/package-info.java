/** Faults planted on purpose, one at a time, and which test catches each: {@code scripts/planted-faults}. */
package dev.rowlock.faults;
