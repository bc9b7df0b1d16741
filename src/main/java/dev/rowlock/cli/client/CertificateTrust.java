package dev.rowlock.cli.client;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Trust in the certificates of nodes. */
final class CertificateTrust {

    private CertificateTrust() {}

    /** Returns a context that trusts only certificates that these authorities vouch for. */
    static SSLContext context(Path authorities) throws IOException {
        try (InputStream pem = Files.newInputStream(authorities)) {
            Collection<? extends Certificate> all =
                    CertificateFactory.getInstance("X.509").generateCertificates(pem);
            if (all.isEmpty()) {
                throw new IOException(authorities + " has no certificate");
            }
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (Certificate one : all) {
                store.setCertificateEntry("authority-" + store.size(), one);
            }
            TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException(authorities + " has no certificates that can be used: " + e.getMessage(), e);
        }
    }
}
