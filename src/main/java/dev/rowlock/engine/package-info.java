/**
 * What happens next? The steps that move tasks from idle to history, and the one loop that runs them.
 */
@NullMarked
package dev.rowlock.engine;

import org.jspecify.annotations.NullMarked;
