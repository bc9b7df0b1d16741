package dev.rowlock.support;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** An authority of the tests' own, in a directory, made by {@code openssl} as people make theirs. */
public final class TestCertificates {

    /** Of keys, as {@code openssl} calls them. */
    private static final List<String> EC = List.of("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256");

    private static final List<String> RSA = List.of("-newkey", "rsa:2048");

    private final Path dir;
    private final Path authority;
    private final Path authorityKey;

    /** @param chain the certificate, and that of the authority below it */
    public record Pair(Path chain, Path key) {}

    public TestCertificates(Path dir) throws IOException {
        this.dir = Files.createDirectories(dir);
        this.authority = dir.resolve("authority.pem");
        this.authorityKey = dir.resolve("authority.key");
        List<String> line = new ArrayList<>(List.of("req", "-x509", "-nodes", "-days", "30"));
        line.addAll(EC);
        line.addAll(List.of("-subj", "/CN=Authority of the tests", "-keyout", authorityKey.toString()));
        line.addAll(List.of("-out", authority.toString()));
        openssl(line.toArray(String[]::new));
    }

    /** A certificate for 127.0.0.1 and localhost, with an EC key. */
    public Pair ec(String name) throws IOException {
        return issue(name, EC, "subjectAltName=IP:127.0.0.1,DNS:localhost");
    }

    /** The same with an RSA key. */
    public Pair rsa(String name) throws IOException {
        return issue(name, RSA, "subjectAltName=IP:127.0.0.1,DNS:localhost");
    }

    /** A certificate for another host. */
    public Pair forHost(String host) throws IOException {
        return issue(host, EC, "subjectAltName=DNS:" + host);
    }

    private Pair issue(String name, List<String> kind, String names) throws IOException {
        Path certificate = dir.resolve(name + ".pem");
        Path key = dir.resolve(name + ".key");
        List<String> line = new ArrayList<>(List.of("req", "-x509", "-nodes", "-days", "20"));
        line.addAll(kind);
        line.addAll(List.of("-CA", authority.toString(), "-CAkey", authorityKey.toString()));
        line.addAll(List.of("-subj", "/CN=" + name, "-addext", names, "-addext", "basicConstraints=CA:FALSE"));
        line.addAll(List.of("-keyout", key.toString(), "-out", certificate.toString()));
        openssl(line.toArray(String[]::new));
        Path chain = dir.resolve(name + "-chain.pem");
        Files.writeString(chain, Files.readString(certificate) + Files.readString(authority));
        return new Pair(chain, key);
    }

    /** The authority's certificate. */
    public Path authority() {
        return authority;
    }

    /** What trusts this authority, and no other. */
    public SSLContext trusting() throws IOException, GeneralSecurityException {
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    /** The same for programs that read a file: PKCS#12, with the password {@code changeit}. */
    public Path trustStore() throws IOException, GeneralSecurityException {
        Path file = dir.resolve("authority.p12");
        try (var out = Files.newOutputStream(file)) {
            store().store(out, "changeit".toCharArray());
        }
        return file;
    }

    /** What shows this certificate. */
    public SSLContext showing(Pair pair) throws IOException, GeneralSecurityException {
        Path file = dir.resolve("shown.p12");
        openssl(
                "pkcs12",
                "-export",
                "-in",
                pair.chain().toString(),
                "-inkey",
                pair.key().toString(),
                "-out",
                file.toString(),
                "-passout",
                "pass:changeit");
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(KeyStore.getInstance(file.toFile(), "changeit".toCharArray()), "changeit".toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }

    private KeyStore store() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        try (InputStream in = new FileInputStream(authority.toFile())) {
            store.setCertificateEntry(
                    "authority", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        return store;
    }

    /** Runs {@code openssl} and fails with what it says if it does. */
    public static void openssl(String... arguments) throws IOException {
        List<String> line = new ArrayList<>(List.of("openssl"));
        line.addAll(List.of(arguments));
        Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IOException(String.join(" ", line) + ": " + said);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }
}
