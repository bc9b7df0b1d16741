@NullMarked
package dev.rowlock.task.rule;

import org.jspecify.annotations.NullMarked;
