/** Record of who changed what: written in the transaction of the change, read by people. */
@NullMarked
package dev.rowlock.audit;

import org.jspecify.annotations.NullMarked;
