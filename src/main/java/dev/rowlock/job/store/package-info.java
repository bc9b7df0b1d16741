/** What is to be run: definitions, their versions, and the changes that people make. */
@NullMarked
package dev.rowlock.job.store;

import org.jspecify.annotations.NullMarked;
