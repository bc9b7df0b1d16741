@NullMarked
package dev.rowlock.policy;

import org.jspecify.annotations.NullMarked;
