package dev.rowlock.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Certificate with its chain, and its key.
 *
 * @param chain the server's own first, each of the others certifies the one before
 */
record ServerCertificate(List<X509Certificate> chain, PrivateKey key) {

    private static final String CERTIFICATE = "http.tls.certificate: ";
    private static final String KEY = "http.tls.key: ";
    private static final int LARGEST = 1 << 20;
    private static final Map<String, String> SIGNATURES = Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA");
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \\1-----", Pattern.DOTALL);

    /** @throws TlsProblem one of the files cannot be used, or they do not belong together */
    static ServerCertificate read(Path certificate, Path key) {
        List<X509Certificate> found = certificates(certificate);
        X509Certificate first = found.get(0);
        String kind = first.getPublicKey().getAlgorithm();
        if (!SIGNATURES.containsKey(kind)) {
            throw new TlsProblem(CERTIFICATE + certificate + " has a key of the kind " + kind
                    + ", which TLS in Java cannot use; take one with an EC or RSA key");
        }
        byte[] encoded = encodedKey(key);
        for (X509Certificate own : found) {
            Optional<PrivateKey> matching = privateKey(encoded, own.getPublicKey());
            if (matching.isPresent()) {
                return new ServerCertificate(chain(own, found), matching.get());
            }
        }
        throw new TlsProblem(KEY + key + " is not the key of " + certificate + ", whose certificate is for "
                + first.getSubjectX500Principal().getName() + " and needs its " + kind + " key");
    }

    /** Returns when the first of the chain expires. */
    Instant validUntil() {
        return chain.stream()
                .map(one -> one.getNotAfter().toInstant())
                .min(Instant::compareTo)
                .orElseThrow();
    }

    Instant validFrom() {
        return chain.get(0).getNotBefore().toInstant();
    }

    String subject() {
        return chain.get(0).getSubjectX500Principal().getName();
    }

    /** @param password nothing is stored; but a store without one cannot be had */
    KeyStore store(char[] password) {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry("http", key, password, chain.toArray(Certificate[]::new));
            return store;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("a key that was read cannot be put into a store", e);
        }
    }

    private static List<X509Certificate> certificates(Path file) {
        List<X509Certificate> found = new ArrayList<>();
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (Block block : blocks(CERTIFICATE, file)) {
                if (block.label.matches("(X509 |TRUSTED )?CERTIFICATE")) {
                    byte[] bytes = decoded(CERTIFICATE, file, block);
                    found.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(bytes)));
                }
            }
        } catch (CertificateException e) {
            throw new TlsProblem(CERTIFICATE + file + " holds a certificate that cannot be read: " + e.getMessage());
        }
        if (found.isEmpty()) {
            throw new TlsProblem(CERTIFICATE + file + " holds no certificate in PEM form, which begins with"
                    + " -----BEGIN CERTIFICATE----- and ends with -----END CERTIFICATE-----");
        }
        return found;
    }

    /** Reads a key in the form of PKCS#8, also of a file that has the certificates too. */
    private static byte[] encodedKey(Path file) {
        Block block = blocks(KEY, file).stream()
                .filter(one -> one.label.endsWith("PRIVATE KEY"))
                .findFirst()
                .orElseThrow(() -> new TlsProblem(KEY + file + " holds no private key in PEM form, which begins with"
                        + " -----BEGIN PRIVATE KEY----- and ends with -----END PRIVATE KEY-----"));
        if (block.label.startsWith("ENCRYPTED") || block.body.contains("ENCRYPTED")) {
            throw new TlsProblem(KEY + file + " is encrypted, and there is nobody to type its passphrase; decrypt it"
                    + " with \"openssl pkey\", and protect the file instead");
        }
        if (!block.label.equals("PRIVATE KEY")) {
            throw new TlsProblem(KEY + file + " is written as " + block.label + "; convert it to PKCS#8 with"
                    + " \"openssl pkcs8 -topk8 -nocrypt -in " + file + " -out NEW\"");
        }
        return decoded(KEY, file, block);
    }

    /** One part of a file in PEM form (RFC 7468). */
    private record Block(String label, String body) {}

    private static byte[] decoded(String setting, Path file, Block block) {
        try {
            return Base64.getMimeDecoder().decode(block.body);
        } catch (IllegalArgumentException e) {
            throw new TlsProblem(setting + file + " is damaged: " + e.getMessage());
        }
    }

    /** Reads all parts in their order; what lies between them is left out. */
    private static List<Block> blocks(String setting, Path file) {
        try {
            if (Files.size(file) > LARGEST) {
                throw new TlsProblem(setting + file + " is larger than 1 MiB; is it the right file?");
            }
            String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
            return BLOCK.matcher(text)
                    .results()
                    .map(found -> new Block(found.group(1), found.group(2)))
                    .toList();
        } catch (NoSuchFileException e) {
            throw new TlsProblem(setting + "there is no file " + file);
        } catch (AccessDeniedException e) {
            throw new TlsProblem(setting + file + " cannot be read: permission denied for the user "
                    + System.getProperty("user.name") + ", who runs this node");
        } catch (IOException e) {
            throw new TlsProblem(setting + file + " cannot be read: " + e.getMessage());
        }
    }

    /** Returns the key, if it belongs to that public key. */
    private static Optional<PrivateKey> privateKey(byte[] encoded, PublicKey publicKey) {
        String kind = publicKey.getAlgorithm();
        if (!SIGNATURES.containsKey(kind)) {
            return Optional.empty();
        }
        try {
            PrivateKey key = KeyFactory.getInstance(kind).generatePrivate(new PKCS8EncodedKeySpec(encoded));
            return signs(key, publicKey) ? Optional.of(key) : Optional.empty();
        } catch (GeneralSecurityException e) {
            return Optional.empty(); // of another kind or curve
        }
    }

    /** Returns whether the public key verifies what the private one signs. */
    private static boolean signs(PrivateKey key, PublicKey publicKey) throws GeneralSecurityException {
        byte[] text = "rowlock".getBytes(StandardCharsets.US_ASCII);
        Signature signature = Signature.getInstance(SIGNATURES.get(publicKey.getAlgorithm()));
        signature.initSign(key);
        signature.update(text);
        byte[] signed = signature.sign();
        signature.initVerify(publicKey);
        signature.update(text);
        return signature.verify(signed);
    }

    /** Returns the chain, whatever the order in the file. */
    private static List<X509Certificate> chain(X509Certificate own, List<X509Certificate> found) {
        List<X509Certificate> chain = new ArrayList<>(List.of(own));
        Optional<X509Certificate> next = Optional.of(own);
        while (next.isPresent()) {
            X509Certificate last = next.get();
            next = found.stream()
                    .filter(other -> !chain.contains(other))
                    .filter(other -> other.getSubjectX500Principal().equals(last.getIssuerX500Principal()))
                    .findFirst();
            next.ifPresent(chain::add);
        }
        return chain;
    }
}
