@NullMarked
package dev.rowlock.cli.ical;

import org.jspecify.annotations.NullMarked;
