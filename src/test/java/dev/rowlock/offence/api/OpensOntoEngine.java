package dev.rowlock.offence.api;

/** An offence, kept to see the rules fail. */
public final class OpensOntoEngine {
    dev.rowlock.offence.engine.@org.jspecify.annotations.Nullable Loop loop;
}
