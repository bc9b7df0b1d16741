/** The web page as people use it: a real browser before a real node. */
@NullMarked
package dev.rowlock.page;

import org.jspecify.annotations.NullMarked;
