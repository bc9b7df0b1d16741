/** The product as its users run it: real daemons, killed, frozen and cut off, judged by what their commands leave in a file of their own. */
@NullMarked
package dev.rowlock.nodes;

import org.jspecify.annotations.NullMarked;
