@NullMarked
package dev.rowlock.alert;

import org.jspecify.annotations.NullMarked;
