@NullMarked
package dev.rowlock.job;

import org.jspecify.annotations.NullMarked;
