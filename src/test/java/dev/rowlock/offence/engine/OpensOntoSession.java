package dev.rowlock.offence.engine;

/** The engine stands before its sessions. */
public final class OpensOntoSession {
    dev.rowlock.offence.engine.session.@org.jspecify.annotations.Nullable Fence fence;
}
