/**
 * Program that joins all rooms: reads what the operator wrote, wires the agents of a node, starts and stops them,
 * and ends the process. Opens onto everything; nothing opens onto it.
 */
@NullMarked
package dev.rowlock;

import org.jspecify.annotations.NullMarked;
