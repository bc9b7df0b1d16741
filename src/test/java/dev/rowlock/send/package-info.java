@NullMarked
package dev.rowlock.send;

import org.jspecify.annotations.NullMarked;
