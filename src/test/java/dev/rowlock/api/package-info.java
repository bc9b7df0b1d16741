@NullMarked
package dev.rowlock.api;

import org.jspecify.annotations.NullMarked;
