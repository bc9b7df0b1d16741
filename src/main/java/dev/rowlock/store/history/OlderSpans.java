package dev.rowlock.store.history;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.Database;

/**
 * Notes in {@link Spans} what was written before there was that table, and by nodes that do not know it: once, when the
 * last of those has gone. A long history takes long, so it is done in parts; after a crash it starts over.
 */
public final class OlderSpans {

    private static final String NOTE = "insert ignore into task_span (" + Spans.COLUMNS + ") " + Spans.SPAN
            + " where id > :after and id <= :until and last_fire_time > fire_time";
    private static final String COMPLETE = "task-spans";
    private static final String IS_COMPLETE = "select count(*) from setting where name = :name";
    private static final String SET_COMPLETE = "insert ignore into setting (name, value) values (:name, 'complete')";
    private static final String OTHER_VERSIONS = "select count(*) from session where version <> :version";
    private static final String IDS =
            "select coalesce(min(id), 0) as first, coalesce(max(id), 0) as last from task_history";

    private final Database database;

    public OlderSpans(Database database) {
        this.database = database;
    }

    /** Rows of history with ids after {@code after} and up to {@code last}. */
    public record Ids(long after, long last) {

        public boolean isEmpty() {
            return after >= last;
        }
    }

    /** Whether all are noted. */
    public boolean areNoted() {
        return count(IS_COMPLETE, "name", COMPLETE) > 0;
    }

    /**
     * Whether there are nodes that may still write some without noting them.
     *
     * @param version of this node
     */
    public boolean mayBecomeMore(String version) {
        return count(OTHER_VERSIONS, "version", version) > 0;
    }

    /** All rows of history. */
    public Ids all() {
        return database.autoCommit(
                "reading the range of history",
                handle -> handle.createQuery(IDS)
                        .map((row, context) -> new Ids(row.getLong("first") - 1, row.getLong("last")))
                        .one());
    }

    /** Notes those of the first so many ids, and answers what is left. */
    public Ids note(Ids ids, int most) {
        long until = ids.after() + most;
        database.transact(
                "noting spans of history", handle -> update(handle, NOTE, "after", ids.after(), "until", until));
        return new Ids(until, ids.last());
    }

    /** All are noted by now. */
    public void complete() {
        database.transact(
                "noting that all spans of history are noted", handle -> update(handle, SET_COMPLETE, "name", COMPLETE));
    }

    private long count(String sql, String name, String value) {
        return database.autoCommit(
                "looking whether all spans of history are noted",
                handle -> query(handle, sql, name, value).mapTo(Long.class).one());
    }
}
