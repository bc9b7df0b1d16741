/** TODO */
@NullMarked
package dev.rowlock.engine.session;

import org.jspecify.annotations.NullMarked;
