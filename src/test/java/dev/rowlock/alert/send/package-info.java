@NullMarked
package dev.rowlock.alert.send;

import org.jspecify.annotations.NullMarked;
