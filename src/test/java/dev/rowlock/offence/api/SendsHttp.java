package dev.rowlock.offence.api;

/** An offence, kept to see the rules fail. */
final class SendsHttp {
    org.eclipse.jetty.client.@org.jspecify.annotations.Nullable HttpClient client;
}
