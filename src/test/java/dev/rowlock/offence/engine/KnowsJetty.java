package dev.rowlock.offence.engine;

/** An offence, kept to see the rules fail. */
final class KnowsJetty {
    org.eclipse.jetty.util.@org.jspecify.annotations.Nullable Callback callback;
}
