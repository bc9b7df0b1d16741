/**
 * Live tasks: acquire, fire, take over, finish, release, and holding or setting aside. One class for each transition.
 */
@NullMarked
package dev.rowlock.task.store;

import org.jspecify.annotations.NullMarked;
