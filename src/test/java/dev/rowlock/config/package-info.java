@NullMarked
package dev.rowlock.config;

import org.jspecify.annotations.NullMarked;
