package dev.rowlock.offence.node;

/** An offence, kept to see the rules fail. */
final class ReadsArguments {
    picocli.@org.jspecify.annotations.Nullable CommandLine commandLine;
}
