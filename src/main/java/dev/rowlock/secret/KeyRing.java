package dev.rowlock.secret;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Keys of a node: the first one encrypts, all of them decrypt. Thread-safe. */
public final class KeyRing {

    /** Key ring of a node without keys, which has no secrets of the database. */
    public static final KeyRing EMPTY = new KeyRing(List.of());

    /** Remedy for a node without keys, for people. */
    public static final String REMEDY = "set secrets.key-file (ROWLOCK_SECRETS_KEY_FILE) to a file with 32 random bytes"
            + " in base64, as \"openssl rand -base64 32\" makes them, the same on all nodes, and restart the node";

    private final Map<String, SecretKey> keys = new LinkedHashMap<>();

    private KeyRing(List<SecretKey> inOrder) {
        inOrder.forEach(key -> keys.putIfAbsent(key.id(), key));
    }

    /**
     * @param base64 32 bytes each
     * @throws IllegalArgumentException says which of them, counted from 1, is no key; never shows it
     */
    public static KeyRing of(List<String> base64) {
        List<SecretKey> parsed = new ArrayList<>();
        for (String text : base64) {
            try {
                parsed.add(SecretKey.parse(text));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("key " + (parsed.size() + 1) + " " + e.getMessage());
            }
        }
        return new KeyRing(parsed);
    }

    /** Generates a key, as text. */
    public static String newKey() {
        return SecretKey.generate();
    }

    public boolean isEmpty() {
        return keys.isEmpty();
    }

    /** Returns the ids in order; they reveal nothing of the keys. */
    public List<String> ids() {
        return List.copyOf(keys.keySet());
    }

    /** Returns the id of the key that encrypts; empty if there is none. */
    public Optional<String> sealingId() {
        return keys.keySet().stream().findFirst();
    }

    public boolean has(String keyId) {
        return keys.containsKey(keyId);
    }

    /** @throws IllegalStateException there is no key */
    public Sealed seal(SecretLabel label, SecretValue value) {
        SecretKey key = keys.values().stream()
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("there is no key to seal " + label + " with"));
        byte[] plain = value.reveal().getBytes(StandardCharsets.UTF_8);
        return new Sealed(key.id(), key.seal(plain, label.with(key.id())));
    }

    /** @throws CannotOpen this ring lacks its key, or it is not what was sealed under this label */
    public SecretValue open(SecretLabel label, Sealed sealed) throws CannotOpen {
        SecretKey key = keys.get(sealed.keyId());
        if (key == null) {
            throw new CannotOpen("secret " + label + " is encrypted under key " + sealed.keyId()
                    + ", which this node does not have: " + lacking());
        }
        try {
            byte[] plain = key.open(sealed.bytes(), label.with(sealed.keyId()));
            return SecretValue.of(new String(plain, StandardCharsets.UTF_8));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new CannotOpen(
                    "secret " + label + " is not what was stored: its row was changed or moved by something"
                            + " else than Rowlock; store it again");
        }
    }

    private String lacking() {
        return isEmpty() ? REMEDY : "add that key to secrets.key-file or secrets.previous-keys, and restart the node";
    }

    @Override
    public String toString() {
        return "KeyRing" + ids();
    }
}
