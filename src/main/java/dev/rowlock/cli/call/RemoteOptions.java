package dev.rowlock.cli.call;

import dev.rowlock.cli.context.Choice;
import dev.rowlock.cli.output.Format;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of every command that asks a node, also in front of its name. */
public final class RemoteOptions {

    /** Those of them that may stand before the command; all but the flags take a value. */
    public static final List<String> NAMES =
            List.of("--url", "--token", "--token-file", "--context", "--ca", "--timeout", "-o", "--output");

    public static final List<String> FLAGS = List.of("-v", "--verbose", "--utc");

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "table, wide, json, yaml or name; default: ${DEFAULT-VALUE}.",
            defaultValue = "table")
    private Format format = Format.TABLE;

    @Option(names = "--url", paramLabel = "URL", description = "Ask this node; default: ROWLOCK_URL, or the context.")
    private @Nullable String url;

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            description = "As whom; others on this host can see it in the list of processes, so prefer ROWLOCK_TOKEN.")
    private @Nullable String token;

    @Option(names = "--token-file", paramLabel = "FILE", description = "The same, in a file that has the token alone.")
    private @Nullable Path tokenFile;

    @Option(names = "--context", paramLabel = "NAME", description = "The cluster of this name (rowlock config).")
    private @Nullable String context;

    @Option(names = "--ca", paramLabel = "FILE", description = "Trust the certificates in this PEM file alone.")
    private @Nullable Path authorities;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            defaultValue = "30s",
            description = "How long an answer may take; default: ${DEFAULT-VALUE}.")
    private Duration timeout = Duration.ofSeconds(30);

    @Option(names = "--utc", arity = "0", description = "Show times in UTC instead of the zone of this machine.")
    private boolean utc;

    @Option(
            names = {"-v", "--verbose"},
            arity = "0",
            description = "Say on standard error which requests are sent.")
    private boolean verbose;

    public Choice choice() {
        return new Choice(url, token, tokenFile, context, authorities);
    }

    public Format format() {
        return format;
    }

    public Duration timeout() {
        return timeout;
    }

    boolean verbose() {
        return verbose;
    }

    ZoneId zone() {
        return utc ? ZoneOffset.UTC : ZoneId.systemDefault();
    }
}
