/**
 * What is remembered? The only room that speaks SQL: connections, migrations, lock rows, and one guarded statement per change of state.
 */
@NullMarked
package dev.rowlock.store;

import org.jspecify.annotations.NullMarked;
