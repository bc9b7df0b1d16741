@NullMarked
package dev.rowlock.store.embedded;

import org.jspecify.annotations.NullMarked;
