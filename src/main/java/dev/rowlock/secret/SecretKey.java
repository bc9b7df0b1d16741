package dev.rowlock.secret;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** Key for AES-256-GCM. Its id is derived from it and reveals nothing of it. */
final class SecretKey {

    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final int KEY_BYTES = 32;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final int ID_BYTES = 8;

    private final SecretKeySpec key;
    private final String id;

    private SecretKey(byte[] bytes) {
        this.key = new SecretKeySpec(bytes, "AES");
        this.id = id(bytes);
    }

    /** @throws IllegalArgumentException the text is no key; the message does not repeat it */
    static SecretKey parse(String base64) {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(base64.strip());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("is not base64" + wanted());
        }
        if (bytes.length != KEY_BYTES) {
            throw new IllegalArgumentException("is base64 of " + bytes.length + " bytes, not " + KEY_BYTES + wanted());
        }
        return new SecretKey(bytes);
    }

    private static String wanted() {
        return "; a key is " + KEY_BYTES + " random bytes in base64, as \"openssl rand -base64 32\" makes them";
    }

    /** Generates a key, as text. */
    static String generate() {
        byte[] bytes = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(bytes);
        return Base64.getEncoder().encodeToString(bytes);
    }

    String id() {
        return id;
    }

    byte[] seal(byte[] plain, byte[] label) {
        byte[] nonce = new byte[NONCE_BYTES];
        Random.INSTANCE.nextBytes(nonce);
        try {
            byte[] encrypted = cipher(Cipher.ENCRYPT_MODE, nonce, 0, label).doFinal(plain);
            byte[] all = new byte[NONCE_BYTES + encrypted.length];
            System.arraycopy(nonce, 0, all, 0, NONCE_BYTES);
            System.arraycopy(encrypted, 0, all, NONCE_BYTES, encrypted.length);
            return all;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java cannot encrypt with " + CIPHER, e);
        }
    }

    /** @throws GeneralSecurityException it was not sealed with this key under this label, or was changed since */
    byte[] open(byte[] sealed, byte[] label) throws GeneralSecurityException {
        if (sealed.length < NONCE_BYTES + TAG_BITS / 8) {
            throw new GeneralSecurityException("too short");
        }
        return cipher(Cipher.DECRYPT_MODE, sealed, 0, label).doFinal(sealed, NONCE_BYTES, sealed.length - NONCE_BYTES);
    }

    private Cipher cipher(int mode, byte[] nonce, int at, byte[] label) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(CIPHER);
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce, at, NONCE_BYTES));
        cipher.updateAAD(label);
        return cipher;
    }

    private static String id(byte[] bytes) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update("rowlock secrets key id\n".getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest.digest(bytes), 0, ID_BYTES);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no SHA-256", e);
        }
    }

    /** Holder that creates the random numbers on first use: most nodes encrypt nothing. */
    private static final class Random {
        static final SecureRandom INSTANCE = new SecureRandom();
    }
}
