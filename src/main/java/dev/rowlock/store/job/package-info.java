/** What is to be run: definitions, their versions, and the changes that people make. */
@NullMarked
package dev.rowlock.store.job;

import org.jspecify.annotations.NullMarked;
