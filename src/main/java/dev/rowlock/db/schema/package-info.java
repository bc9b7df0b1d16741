/** The schema: made, checked, and refused where another version made it. */
@NullMarked
package dev.rowlock.db.schema;

import org.jspecify.annotations.NullMarked;
