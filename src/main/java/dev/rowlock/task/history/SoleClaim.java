package dev.rowlock.task.history;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.Database;
import dev.rowlock.db.SqlTime;
import java.time.Duration;
import java.time.Instant;

/**
 * Claim to a chore that one session at a time does. It expires after a minute, and with the session: it saves work, and
 * guarantees nothing.
 */
public final class SoleClaim {

    private static final Duration CLAIMED_FOR = Duration.ofMinutes(1);

    private static final String SEEN = """
            select s.value, exists (select 1 from session o where o.id = substring_index(s.value, ' ', 1)) as owned,
                   utc_timestamp(3) as now
              from (select coalesce((select value from setting where name = :name), '') as value) s
            """;
    private static final String FIRST = "insert ignore into setting (name, value) values (:name, '')";
    private static final String TAKE = "update setting set value = :fresh where name = :name and value = :seen";
    private static final String GIVE_BACK =
            "update setting set value = '' where name = :name and value like concat(:session, ' %')";

    private final Database database;
    private final String name;

    /** @param name of the setting that names the holder */
    public SoleClaim(Database database, String name) {
        this.database = database;
        this.name = name;
    }

    private record ClaimRow(String value, boolean owned, Instant now) {

        /**
         * Returns whether nobody else holds the claim: it was given back or expired, its session is gone, or the clock
         * was wrong.
         */
        boolean isFree(String session) {
            if (!owned || value.startsWith(session + " ")) {
                return true;
            }
            String until = value.substring(value.indexOf(' ') + 1);
            return until.compareTo(SqlTime.text(now)) <= 0 || until.compareTo(SqlTime.text(now.plus(CLAIMED_FOR))) > 0;
        }
    }

    /** Claims it, or renews the claim, for a minute, and returns false if another live session holds it. */
    public boolean take(String session) {
        return database.transact("taking " + name, handle -> {
            ClaimRow seen = query(handle, SEEN, "name", name)
                    .map((row, context) ->
                            new ClaimRow(row.getString("value"), row.getBoolean("owned"), SqlTime.read(row, "now")))
                    .one();
            if (!seen.isFree(session)) {
                return false;
            }
            update(handle, FIRST, "name", name);
            return handle.createUpdate(TAKE)
                            .bind(
                                    "fresh",
                                    session + " " + SqlTime.text(seen.now().plus(CLAIMED_FOR)))
                            .bind("name", name)
                            .bind("seen", seen.value())
                            .execute()
                    == 1;
        });
    }

    /** Lets another session have the claim. */
    public void giveBack(String session) {
        database.transact(
                "giving " + name + " back", handle -> update(handle, GIVE_BACK, "name", name, "session", session));
    }
}
