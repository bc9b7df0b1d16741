package dev.rowlock.secret;

/**
 * Encrypted value, as it is stored.
 *
 * @param keyId of the key that opens it
 * @param bytes nonce, ciphertext and tag; not copied, and must not be changed
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Sealed(String keyId, byte[] bytes) {}
