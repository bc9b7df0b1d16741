/** Parts of a client's commands: a call of the API, its answer, exit codes, and options that many share. */
@NullMarked
package dev.rowlock.cli.call;

import org.jspecify.annotations.NullMarked;
