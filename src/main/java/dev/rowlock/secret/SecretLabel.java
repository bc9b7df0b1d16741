package dev.rowlock.secret;

import java.nio.charset.StandardCharsets;

/** Identity of a value. What was encrypted under one label decrypts under no other, so rows cannot be swapped. */
public record SecretLabel(String namespace, String name, int version) {

    /** Returns the label and the key's id as bytes. No part can contain the separator. */
    byte[] with(String keyId) {
        return String.join("/", "rowlock-secret", namespace, name, Integer.toString(version), keyId)
                .getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
