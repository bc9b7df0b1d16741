/** TODO */
@NullMarked
package dev.rowlock.db;

import org.jspecify.annotations.NullMarked;
