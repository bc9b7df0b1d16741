package dev.rowlock.secret;

/** Means by which a node reads secrets: keys for those in the database, and those on the node itself. */
public record NodeSecrets(KeyRing keys, LocalSecrets local) {

    public static final NodeSecrets NONE = new NodeSecrets(KeyRing.EMPTY, LocalSecrets.NONE);
}
