/**
 * Choice of the cluster that is meant, and of who asks: {@code Choice} takes the address and the token from
 * options, the environment, the context of {@code ContextFile}, or the node of this machine. Asks nobody.
 */
@NullMarked
package dev.rowlock.cli.context;

import org.jspecify.annotations.NullMarked;
