package dev.rowlock.cluster.store;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.rowlock.audit.Audit;
import dev.rowlock.audit.Subject;
import dev.rowlock.db.Database;
import dev.rowlock.db.SqlTime;
import dev.rowlock.task.transition.LateTasks;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Notes by which the nodes and the operators of a cluster tell each other of a database clock that leapt ahead. */
public final class ClockNotes {

    private static final String DOUBT = "clock-doubt";
    /** Setting with a name of its own, as nodes of earlier versions read the other. */
    private static final String BEFORE = "clock-doubt-before";

    private static final String WITNESS = "clock-witness";
    private static final String ACCEPTED = "clock-accepted";

    /** Condition that there is a doubt; for a statement that is run anyway. */
    static final String IS_DOUBTED = "exists (select 1 from setting where name = '" + DOUBT + "')";

    private static final String READ = """
            select utc_timestamp(6) as now, (select value from setting where name = :doubt) as doubt,
                   (select value from setting where name = :before) as before_it,
                   (select value from setting where name = :witness) as witness,
                   (select cast(value as datetime(3)) from setting where name = :accepted) as accepted
            """;
    private static final String WRITE = """
            insert into setting (name, value) values (:name, :value) on duplicate key update value = :value
            """;
    private static final String FORGET = "delete from setting where name = :doubt and value = :value";
    private static final String CLEAR = "delete from setting where name in (:doubt, :before, :witness)";

    /**
     * Query of the latest time. The last row that was written is among the latest, and has one of the highest ids:
     * nodes take them in blocks.
     */
    private static final String LATEST = """
            select utc_timestamp(6) as now, greatest(
                     coalesce((select max(heartbeat_at) from session), '1000-01-01'),
                     coalesce((select max(at) from audit), '1000-01-01'),
                     coalesce((select max(h.ended_at)
                                 from (select ended_at from task_history force index (primary)
                                        order by id desc limit 500) h), '1000-01-01')) as latest
            """;

    private final Database database;

    public ClockNotes(Database database) {
        this.database = database;
    }

    /**
     * Leap that a node has seen and nobody has accepted.
     *
     * @param before what the database's clock showed when that node had last read it; empty if its version does not say
     * @param since what the database's clock showed then
     */
    public record NotedLeap(Optional<Instant> before, Instant since, Duration by) {}

    /** Testimony of a node that has read the clock without a leap all the time between. */
    public record Witness(Instant from, Instant to) {}

    /**
     * Notes of all kinds.
     *
     * @param now what the database's clock shows
     * @param accepted what it showed when an operator last said that it is right
     */
    public record Notes(
            Instant now, Optional<NotedLeap> doubt, Optional<Witness> witness, Optional<Instant> accepted) {}

    public Notes read() {
        return database.autoCommit(
                "reading what is known of the database's clock",
                handle -> query(
                                handle,
                                READ,
                                "doubt",
                                DOUBT,
                                "before",
                                BEFORE,
                                "witness",
                                WITNESS,
                                "accepted",
                                ACCEPTED)
                        .map((row, context) -> notes(row))
                        .one());
    }

    /**
     * Latest time that the tables know of.
     *
     * @param now what the database's clock shows
     */
    public record Latest(Instant now, Instant noted) {}

    /**
     * Reads the latest time from few rows: a clock that is behind it has been set back, or is that of another server.
     */
    public Latest latest() {
        return database.autoCommit(
                "reading the latest time of the tables",
                handle -> query(handle, LATEST)
                        .map((row, context) -> new Latest(SqlTime.read(row, "now"), SqlTime.read(row, "latest")))
                        .one());
    }

    private static Notes notes(ResultSet row) throws SQLException {
        String before = row.getString("before_it");
        return new Notes(
                SqlTime.read(row, "now"),
                Optional.ofNullable(row.getString("doubt")).map(doubt -> doubt(doubt, before)),
                Optional.ofNullable(row.getString("witness")).map(ClockNotes::witness),
                Optional.ofNullable(SqlTime.readOrNull(row, "accepted")));
    }

    /**
     * Parses a doubt. What preceded one announced by an earlier version is not known: the other note is of an older
     * one.
     */
    private static NotedLeap doubt(String value, @Nullable String before) {
        String[] words = value.split(" ", 2);
        return new NotedLeap(
                Optional.ofNullable(before)
                        .map(text -> text.split(" ", 2))
                        .filter(it -> it[0].equals(words[0]))
                        .map(it -> Instant.parse(it[1])),
                Instant.parse(words[0]),
                Duration.ofMillis(Long.parseLong(words[1])));
    }

    private static Witness witness(String value) {
        String[] words = value.split(" ", 2);
        return new Witness(Instant.parse(words[0]), Instant.parse(words[1]));
    }

    /** Writes a doubt, for nodes that start while it stands, and cannot see it. */
    public void write(NotedLeap doubt) {
        database.transact("noting that the database's clock is in doubt", handle -> {
            write(handle, DOUBT, text(doubt));
            doubt.before().ifPresent(before -> write(handle, BEFORE, doubt.since() + " " + before));
            return doubt;
        });
    }

    /** Writes a testimony, for nodes that doubt the clock because they were paused. */
    public void write(Witness witness) {
        database.transact("noting that the database's clock has not leapt", handle -> {
            write(handle, WITNESS, witness.from() + " " + witness.to());
            return witness;
        });
    }

    /**
     * Makes what was given back, lost or requested while the clock was ahead due when it would be by the corrected
     * clock.
     */
    public void dueAgain() {
        LateTasks.putRight(database);
    }

    /** Deletes a doubt that has ended, in place of the node that announced it and is gone. */
    public void forget(NotedLeap doubt) {
        database.transact(
                "forgetting an old doubt of the database's clock",
                handle -> update(handle, FORGET, "doubt", DOUBT, "value", text(doubt)));
    }

    private static String text(NotedLeap doubt) {
        return doubt.since() + " " + doubt.by().toMillis();
    }

    /** Deletes all notes, as there is no doubt any more. */
    public void clear() {
        database.transact(
                "noting that the database's clock is in no doubt",
                handle -> update(handle, CLEAR, "doubt", DOUBT, "before", BEFORE, "witness", WITNESS));
    }

    /**
     * Records an operator's word that the database's clock is right, and returns the time that it shows. Nodes read it
     * within seconds.
     */
    public Instant accept(Audit audit) {
        Instant now = read().now();
        database.transact("noting that the database's clock is right", handle -> {
            write(handle, ACCEPTED, SqlTime.text(now));
            audit.write(
                    handle,
                    Subject.of("cluster", "clock"),
                    JsonNodeFactory.instance.objectNode().put("databaseTime", SqlTime.text(now)));
            return now;
        });
        return now;
    }

    private static void write(Handle handle, String name, String value) {
        update(handle, WRITE, "name", name, "value", value);
    }
}
