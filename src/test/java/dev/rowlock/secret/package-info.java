@NullMarked
package dev.rowlock.secret;

import org.jspecify.annotations.NullMarked;
