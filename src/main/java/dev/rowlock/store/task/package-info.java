/** What is live: acquire, fire, take over, finish, release, and what is held or set aside. One class for each arrow. */
@NullMarked
package dev.rowlock.store.task;

import org.jspecify.annotations.NullMarked;
