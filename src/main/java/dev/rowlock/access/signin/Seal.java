package dev.rowlock.access.signin;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** Sealed text that the browser keeps and can neither read nor change. */
final class Seal {

    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final int LONGEST = 4096;

    private final SharedKey key;
    private final String purpose;

    Seal(SharedKey key, String purpose) {
        this.key = key;
        this.purpose = purpose;
    }

    String close(String text) {
        byte[] nonce = SharedKey.random(NONCE_BYTES);
        try {
            byte[] sealed = cipher(Cipher.ENCRYPT_MODE, nonce).doFinal(text.getBytes(StandardCharsets.UTF_8));
            return SharedKey.TEXT.encodeToString(ByteBuffer.allocate(nonce.length + sealed.length)
                    .put(nonce)
                    .put(sealed)
                    .array());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has AES-GCM", e);
        }
    }

    /** Returns the text, if a node of this cluster sealed it. */
    Optional<String> open(String sealed) {
        Optional<String> text = opened(sealed);
        return text.isEmpty() && key.isAnotherNow() ? opened(sealed) : text;
    }

    private Optional<String> opened(String sealed) {
        try {
            byte[] bytes = sealed.length() > LONGEST
                    ? new byte[0]
                    : Base64.getUrlDecoder().decode(sealed);
            if (bytes.length <= NONCE_BYTES) {
                return Optional.empty();
            }
            byte[] nonce = Arrays.copyOf(bytes, NONCE_BYTES);
            byte[] text = cipher(Cipher.DECRYPT_MODE, nonce).doFinal(bytes, NONCE_BYTES, bytes.length - NONCE_BYTES);
            return Optional.of(new String(text, StandardCharsets.UTF_8));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private Cipher cipher(int mode, byte[] nonce) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, new SecretKeySpec(key.forPurpose(purpose), "AES"), new GCMParameterSpec(TAG_BITS, nonce));
        return cipher;
    }
}
