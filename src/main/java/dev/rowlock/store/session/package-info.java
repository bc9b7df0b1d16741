/** TODO */
@NullMarked
package dev.rowlock.store.session;

import org.jspecify.annotations.NullMarked;
