package dev.rowlock.offence.cli.client;

/** What asks. */
public final class Client {}
