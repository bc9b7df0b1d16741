@NullMarked
package dev.rowlock.definition;

import org.jspecify.annotations.NullMarked;
