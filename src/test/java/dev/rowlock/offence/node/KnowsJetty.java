package dev.rowlock.offence.node;

/** An offence, kept to see the rules fail. */
final class KnowsJetty {
    org.eclipse.jetty.util.@org.jspecify.annotations.Nullable Callback callback;
}
