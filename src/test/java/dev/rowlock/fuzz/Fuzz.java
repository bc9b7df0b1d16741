package dev.rowlock.fuzz;

import dev.rowlock.db.embedded.EmbeddedDatabase;
import dev.rowlock.support.Rows;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.Map;

/** {@code scripts/fuzz}: a long attack on a node of its own; the exit code is 1 if anything was found. */
final class Fuzz {

    private static final int USAGE = 64;

    private Fuzz() {}

    /** @param arguments {@code --requests N}, {@code --seed S} */
    public static void main(String[] arguments) throws Exception {
        int requests = 200_000;
        long seed = System.nanoTime() % 1_000_000;
        for (int i = 0; i < arguments.length; i += 2) {
            if (i + 1 == arguments.length
                    || !arguments[i].matches("--requests|--seed")
                    || !arguments[i + 1].matches("[0-9]{1,9}")) {
                System.err.println("usage: scripts/fuzz [--requests N] [--seed S]");
                System.exit(USAGE);
            }
            if (arguments[i].equals("--seed")) {
                seed = Long.parseLong(arguments[i + 1]);
            } else {
                requests = Integer.parseInt(arguments[i + 1]);
            }
        }
        Path dir = Files.createDirectories(Path.of("target", "fuzz"))
                .resolve("seed-" + seed + "-" + ProcessHandle.current().pid());
        System.out.println("fuzz: seed " + seed + ", in " + dir);
        Outcome outcome = run(dir, requests, seed);
        System.out.print(outcome.text());
        System.exit(outcome.findings().isEmpty() ? 0 : 1);
    }

    private static Outcome run(Path dir, int requests, long seed) throws Exception {
        try (EmbeddedDatabase database = EmbeddedDatabase.start(dir.resolve("database"));
                Target target = Target.start(
                        dir.resolve("node"),
                        Map.of(
                                "ROWLOCK_DATABASE_URL", database.url(),
                                "ROWLOCK_DATABASE_USER", database.user(),
                                "ROWLOCK_DATABASE_PASSWORD", database.password()),
                        new Rows(() ->
                                DriverManager.getConnection(database.url(), database.user(), database.password())))) {
            return new Campaign(target, seed, dir).run(requests);
        }
    }
}
