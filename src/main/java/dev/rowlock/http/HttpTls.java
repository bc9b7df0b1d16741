package dev.rowlock.http;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.KeyStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS certificate of the HTTP server. Its files are read again when they change; existing connections keep theirs.
 * While the files do not match, as in the middle of a renewal, the last good pair stays.
 */
public final class HttpTls {

    private static final Logger log = LoggerFactory.getLogger(HttpTls.class);

    /** Interval at which the files are checked. */
    private static final Duration LOOKED_AT = Duration.ofSeconds(5);

    private static final Duration SOON = Duration.ofDays(7);

    private final Path certificate;
    private final Path key;
    private final Clock clock;
    private final char[] password = UUID.randomUUID().toString().toCharArray();
    private final SslContextFactory.Server ssl = new SslContextFactory.Server();
    private ServerCertificate current;
    private List<Stamp> seen;
    private boolean complained;
    private @Nullable Instant warnedOf;
    private boolean warnedOfEnd;

    /** Attributes that change with a file. */
    private record Stamp(
            FileTime modified, long size, @Nullable Object inode) {}

    private HttpTls(Path certificate, Path key, Clock clock) {
        this.certificate = certificate;
        this.key = key;
        this.clock = clock;
        this.seen = stamps();
        this.current = ServerCertificate.read(certificate, key);
        ssl.setIncludeProtocols("TLSv1.3", "TLSv1.2");
        ssl.setRenegotiationAllowed(false);
        ssl.setKeyStorePassword(new String(password));
        ssl.setKeyStore(current.store(password));
        warnOfExpiry();
    }

    /**
     * Reads the certificate with its chain, and its key. An expired one is used, with a warning in the log: clients
     * tell their users.
     *
     * @param clock the host's wall clock
     * @throws TlsProblem they cannot be used
     */
    public static HttpTls load(Path certificate, Path key, Clock clock) {
        return new HttpTls(certificate, key, clock);
    }

    /** Makes TLS connections, which then speak {@code protocol}. */
    public SslConnectionFactory connections(String protocol) {
        return new SslConnectionFactory(ssl, protocol);
    }

    /** Watches the files until the server stops. Takes a thread no longer than a look at two files does. */
    public void watch(Connector connector) {
        connector.getScheduler().schedule(() -> lookBeside(connector), LOOKED_AT.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void lookBeside(Connector connector) {
        try {
            connector.getExecutor().execute(() -> {
                try {
                    look();
                } catch (RuntimeException e) {
                    log.error("the certificate of HTTP is not looked after: {}", e.toString(), e);
                } finally {
                    watch(connector);
                }
            });
        } catch (RejectedExecutionException e) {
            log.debug("the server stops");
        }
    }

    /** Takes over the files if they changed and match. */
    synchronized void look() {
        List<Stamp> found = stamps();
        if (!found.equals(seen)) {
            takeOver(found);
        }
        warnOfExpiry();
    }

    /** Takes over the files. Those that cannot be used are tried again: owner or mode may change without a new time. */
    private void takeOver(List<Stamp> found) {
        ServerCertificate renewed;
        try {
            renewed = ServerCertificate.read(certificate, key);
        } catch (TlsProblem e) {
            if (!complained) {
                log.warn("{}; the certificate before stays in use, valid until {}", e.getMessage(), until());
            }
            complained = true;
            return;
        }
        KeyStore store = renewed.store(password);
        try {
            ssl.reload(factory -> factory.setKeyStore(store));
        } catch (Exception e) {
            throw new IllegalStateException("a certificate that was read cannot be used", e);
        }
        current = renewed;
        seen = found;
        complained = false;
        log.info("the certificate of HTTP is now that of {}, valid until {}", renewed.subject(), until());
    }

    private Instant until() {
        return current.validUntil();
    }

    /** Warns once when the certificate will expire soon, and once when it has. */
    private void warnOfExpiry() {
        Instant now = clock.instant();
        boolean over = !now.isBefore(until());
        boolean worthIt = over || !now.isBefore(until().minus(SOON)) || now.isBefore(current.validFrom());
        if (!worthIt || (until().equals(warnedOf) && over == warnedOfEnd)) {
            return;
        }
        warnedOf = until();
        warnedOfEnd = over;
        if (now.isBefore(current.validFrom())) {
            log.warn("http.tls.certificate: {} is not valid before {}", certificate, current.validFrom());
        } else {
            log.warn("http.tls.certificate: {} {} on {}", certificate, over ? "has expired" : "expires", until());
        }
    }

    /**
     * Returns the stamps of both files. A missing file has none, so the result differs from any that was taken over.
     */
    private List<Stamp> stamps() {
        try {
            return List.of(stamp(certificate), stamp(key));
        } catch (IOException e) {
            log.debug("the files of the certificate cannot be looked at: {}", e.toString());
            return List.of();
        }
    }

    private static Stamp stamp(Path file) throws IOException {
        BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
        return new Stamp(found.lastModifiedTime(), found.size(), found.fileKey());
    }
}
