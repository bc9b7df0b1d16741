/** What tests share: real databases, a relay that breaks connections, real nodes as processes. */
@NullMarked
package dev.rowlock.support;

import org.jspecify.annotations.NullMarked;
