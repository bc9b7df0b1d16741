/** Job files: export, plan, apply, and imports from other schedulers. */
@NullMarked
package dev.rowlock.cli.plan;

import org.jspecify.annotations.NullMarked;
