@NullMarked
package dev.rowlock.embedded;

import org.jspecify.annotations.NullMarked;
