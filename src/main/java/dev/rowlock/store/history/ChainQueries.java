package dev.rowlock.store.history;

import dev.rowlock.db.Database;
import java.time.Duration;

/** How the chain of fire times stands, cheaply enough to be asked every minute; the whole proof is {@code rowlock verify}. */
public final class ChainQueries {

    private static final String BROKEN = """
            select count(*) from v_broken_link where fire_time >= utc_timestamp(3) - interval :window second
            """;

    private final Database database;

    public ChainQueries(Database database) {
        this.database = database;
    }

    /**
     * How many rows of history name a next fire time that has no row; 0 is the only good answer.
     *
     * @param window how far back, by fire time; costs about as much as reading the rows of history in it twice
     */
    public long brokenLinks(Duration window) {
        return database.autoCommit(
                "counting broken links",
                handle -> handle.createQuery(BROKEN)
                        .bind("window", window.toSeconds())
                        .mapTo(Long.class)
                        .one());
    }
}
