@NullMarked
package dev.rowlock.db.embedded;

import org.jspecify.annotations.NullMarked;
