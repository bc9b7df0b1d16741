/** The terminal view of the cluster, and the reports that it is made of. */
@NullMarked
package dev.rowlock.cli.top;

import org.jspecify.annotations.NullMarked;
