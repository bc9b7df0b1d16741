package dev.rowlock.offence.cli.client;

/** A client has no node. */
public final class OpensOntoNode {

    dev.rowlock.offence.node.@org.jspecify.annotations.Nullable Loop loop;
}
