package dev.rowlock.secret;

/** What a node brings along to read secrets: keys for those in the database, and those that lie on the node itself. */
public record NodeSecrets(KeyRing keys, LocalSecrets local) {

    public static final NodeSecrets NONE = new NodeSecrets(KeyRing.EMPTY, LocalSecrets.NONE);
}
