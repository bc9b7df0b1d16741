package dev.rowlock.embedded;

import java.io.IOException;
import java.nio.file.Path;

/** A process that starts an embedded database, says so, and stops it at its end of input: a node, as far as the database sees. */
final class DatabaseUser {

    private DatabaseUser() {}

    public static void main(String[] args) throws IOException {
        EmbeddedDatabase database = EmbeddedDatabase.start(Path.of(args[0]));
        System.out.println("started");
        while (System.in.read() >= 0) {
            // until the test closes our input
        }
        database.close();
    }
}
