package dev.rowlock.offence.engine;

/** An offence, kept to see the rules fail. */
final class ReadsArguments {
    picocli.@org.jspecify.annotations.Nullable CommandLine commandLine;
}
