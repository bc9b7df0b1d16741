package dev.rowlock.support;

import dev.rowlock.db.Database;
import java.time.Duration;

/** How the chain of fire times stands, as monitoring would ask it; the whole proof is {@code rowlock verify}. */
public final class BrokenLinks {

    private static final String COUNT = """
            select count(*) from v_broken_link where fire_time >= utc_timestamp(3) - interval :window second
            """;

    private BrokenLinks() {}

    /**
     * How many rows of history name a next fire time that has no row; 0 is the only good answer.
     *
     * @param window how far back, by fire time
     */
    public static long count(Database database, Duration window) {
        return database.autoCommit(
                "counting broken links",
                handle -> handle.createQuery(COUNT)
                        .bind("window", window.toSeconds())
                        .mapTo(Long.class)
                        .one());
    }
}
