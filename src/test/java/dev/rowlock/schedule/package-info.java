@NullMarked
package dev.rowlock.schedule;

import org.jspecify.annotations.NullMarked;
