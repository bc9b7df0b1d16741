package dev.rowlock.offence.store.job;

/** Jobs stand before sessions. */
public final class OpensOntoSession {
    dev.rowlock.offence.store.session.@org.jspecify.annotations.Nullable Sessions sessions;
}
