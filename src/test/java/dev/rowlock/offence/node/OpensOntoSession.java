package dev.rowlock.offence.node;

/** The engine stands before its sessions. */
public final class OpensOntoSession {
    dev.rowlock.offence.node.session.@org.jspecify.annotations.Nullable Fence fence;
}
