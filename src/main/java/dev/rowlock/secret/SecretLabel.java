package dev.rowlock.secret;

import java.nio.charset.StandardCharsets;

/** Which value it is. What was sealed under one label opens under no other, so rows cannot be swapped. */
public record SecretLabel(String namespace, String name, int version) {

    /** No part of it can contain the separator. */
    byte[] with(String keyId) {
        return String.join("/", "rowlock-secret", namespace, name, Integer.toString(version), keyId)
                .getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
