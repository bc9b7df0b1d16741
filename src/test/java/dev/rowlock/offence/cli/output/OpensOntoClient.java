package dev.rowlock.offence.cli.output;

/** What only writes asks nobody. */
public final class OpensOntoClient {
    dev.rowlock.offence.cli.client.@org.jspecify.annotations.Nullable Client client;
}
