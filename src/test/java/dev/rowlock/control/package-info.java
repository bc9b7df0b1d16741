@NullMarked
package dev.rowlock.control;

import org.jspecify.annotations.NullMarked;
