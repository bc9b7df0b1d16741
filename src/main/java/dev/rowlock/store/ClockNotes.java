package dev.rowlock.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What the nodes and the operators of a cluster tell each other of a database clock that leapt ahead. */
public final class ClockNotes {

    private static final String DOUBT = "clock-doubt";
    private static final String ACCEPTED = "clock-accepted";

    private static final String READ = """
            select utc_timestamp(6) as now, (select value from setting where name = :doubt) as doubt,
                   (select cast(value as datetime(3)) from setting where name = :accepted) as accepted
            """;
    private static final String WRITE = """
            insert into setting (name, value) values (:name, :value) on duplicate key update value = :value
            """;
    private static final String CLEAR = "delete from setting where name = :name";

    /** Due later than it was asked for, as the clock was ahead when it was given back, lost or asked for. */
    private static final String TOO_LATE = """
            select t.id, t.shard from task t force index (due)
             where t.state = 'IDLE' and t.due_at > utc_timestamp(3) + interval 60 second
               and not (t.origin = '' and t.attempt = 1 and t.due_at <= t.fire_time)
             limit 500
            """;

    private static final String DUE_AGAIN = """
            update json_table(:ids, '$[*]' columns (id bigint path '$')) v
              straight_join task t force index (primary) on t.id = v.id
               set t.due_at = if(t.origin = '' and t.attempt = 1, greatest(t.fire_time, utc_timestamp(3)), utc_timestamp(3))
             where t.state = 'IDLE' and t.due_at > utc_timestamp(3) + interval 60 second
            """;

    private final Database database;

    public ClockNotes(Database database) {
        this.database = database;
    }

    /**
     * A leap that a node has seen and nobody has accepted.
     *
     * @param since what the database's clock showed then
     */
    public record Doubt(Instant since, Duration by) {}

    /**
     * All that is noted.
     *
     * @param now what the database's clock shows
     * @param accepted what it showed when an operator last said that it is right
     */
    public record Notes(Instant now, Optional<Doubt> doubt, Optional<Instant> accepted) {}

    public Notes read() {
        return database.read(
                "reading what is known of the database's clock",
                handle -> handle.createQuery(READ)
                        .bind("doubt", DOUBT)
                        .bind("accepted", ACCEPTED)
                        .map((row, context) -> new Notes(
                                SqlTime.read(row, "now"),
                                Optional.ofNullable(row.getString("doubt")).map(ClockNotes::doubt),
                                Optional.ofNullable(SqlTime.readOrNull(row, "accepted"))))
                        .one());
    }

    private static Doubt doubt(String value) {
        String[] words = value.split(" ", 2);
        return new Doubt(Instant.parse(words[0]), Duration.ofMillis(Long.parseLong(words[1])));
    }

    /** For nodes that start while it stands, and cannot see it. */
    public void write(Doubt doubt) {
        write(DOUBT, doubt.since() + " " + doubt.by().toMillis());
    }

    /**
     * The clock has come back: what was given back, lost or asked for while it was ahead is due now, or at its fire time. A recovery that waits for
     * longer anyway comes sooner.
     */
    public void dueAgain() {
        List<Late> late;
        do {
            late = database.read(
                    "looking for what is due too late",
                    handle -> handle.createQuery(TOO_LATE)
                            .map((row, context) -> new Late(row.getLong("id"), row.getInt("shard")))
                            .list());
            makeDue(late);
        } while (!late.isEmpty());
    }

    private record Late(long id, int shard) {}

    private void makeDue(List<Late> late) {
        if (!late.isEmpty()) {
            database.transact("making what was asked for too late due", handle -> {
                Locks.shards(handle, late.stream().map(Late::shard).collect(Collectors.toSet()));
                return handle.createUpdate(DUE_AGAIN)
                        .bind("ids", JsonRows.ids(late.stream().map(Late::id).toList()))
                        .execute();
            });
        }
    }

    /** There is no doubt any more. */
    public void clear() {
        database.transact(
                "noting that the database's clock is in no doubt",
                handle -> handle.createUpdate(CLEAR).bind("name", DOUBT).execute());
    }

    /** An operator says that the database's clock is right; answers what it shows. Nodes read it within seconds. */
    public Instant accept() {
        Instant now = read().now();
        write(ACCEPTED, SqlTime.text(now));
        return now;
    }

    private void write(String name, String value) {
        database.transact(
                "noting something of the database's clock",
                handle -> handle.createUpdate(WRITE)
                        .bind("name", name)
                        .bind("value", value)
                        .execute());
    }
}
