package dev.rowlock;

import dev.rowlock.api.HttpServer;
import dev.rowlock.cli.call.CommandFailed;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.config.Config.HttpConfig;
import dev.rowlock.config.Config.TlsConfig;
import dev.rowlock.http.HttpTls;
import dev.rowlock.http.Patience;
import dev.rowlock.http.TlsProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Address of the HTTP server, and the messages when it cannot listen. */
final class Listening {

    private static final Logger log = LoggerFactory.getLogger(Listening.class);
    private static final int HTTP_REQUESTS = 256;
    private static final int HTTP_CONNECTIONS = 1_000;
    private static final String ADDRESS = "address";

    private Listening() {}

    /** @throws CommandFailed the certificate cannot be used */
    static HttpServer.HttpSettings settings(HttpConfig http) {
        return new HttpServer.HttpSettings(
                http.host(),
                http.port(),
                tls(http.tls()),
                http.allowedHosts(),
                (int) http.maxBodyBytes(),
                HTTP_REQUESTS,
                HTTP_CONNECTIONS,
                Patience.STANDARD);
    }

    private static @Nullable HttpTls tls(@Nullable TlsConfig files) {
        try {
            return files == null ? null : HttpTls.load(files.certificate(), files.key(), Clock.systemUTC());
        } catch (TlsProblem e) {
            throw new CommandFailed(ExitCode.CONFIGURATION, Objects.requireNonNull(e.getMessage()));
        }
    }

    /** @throws CommandFailed the address cannot be bound */
    static void start(HttpServer http, HttpConfig settings) {
        try {
            http.start();
        } catch (RuntimeException e) {
            throw new CommandFailed(
                    ExitCode.FAILED,
                    "cannot listen on http.host " + settings.host() + ", http.port " + settings.port() + ": "
                            + LocalCommands.rootOf(e) + "; set another one with http.port or ROWLOCK_HTTP_PORT");
        }
        String scheme = settings.tls() == null ? "http" : "https";
        log.info("listening on {}://{}:{}", scheme, settings.host(), http.port());
    }

    /** Writes the address down, so that the command line on this machine finds the node while its process lives. */
    static void note(Path home, HttpServer http, HttpConfig settings) {
        try {
            Files.writeString(
                    home.resolve(ADDRESS),
                    settings.url(http.port()) + "\n" + ProcessHandle.current().pid() + "\n");
        } catch (IOException e) {
            log.warn("the command line will not find this node by itself, as its address cannot be noted", e);
        }
    }

    /** Deletes the address. Call when the node has stopped. */
    static void forget(Path home) {
        try {
            Files.deleteIfExists(home.resolve(ADDRESS));
        } catch (IOException e) {
            log.warn("the address of this node cannot be removed", e);
        }
    }
}
