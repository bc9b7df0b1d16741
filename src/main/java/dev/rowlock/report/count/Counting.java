package dev.rowlock.report.count;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.Database;
import dev.rowlock.db.Decision;
import dev.rowlock.db.InList;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.Locks;
import dev.rowlock.db.SqlTime;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;

/**
 * Counting of history: each row once, whatever is repeated, lost or committed out of order.
 *
 * <p>History is written under the lock row of its stripe. {@link #reach} raises a mark in all of these rows, and from
 * then on whoever writes a row that ended before the mark notes that ({@code task_uncounted}); whoever held the lock
 * before has committed. So what ended before the mark and is not noted is complete, and {@link #count} takes it in the
 * order of its end, from a position that it moves in the same transaction. Noted rows are counted by
 * {@link #countNoted} when the position has passed them. Two nodes may count at once.
 */
public final class Counting {

    /** Setting that holds the position: a time, and the id of the last task that ended then. */
    static final String POSITION = "history-counted";

    /**
     * Rows read at once: a driver holds all rows of an answer in memory, several times as large as what is made of
     * them.
     */
    private static final int READ_AT_ONCE = 4_000;
    /** Lock rows held at once, for as long as it takes to write a time into them. */
    private static final int TOGETHER = 8;

    private static final String FIRST = """
            insert ignore into setting (name, value) values (:name, '1970-01-01 00:00:00.000 0')
            """;
    private static final String SEEN = """
            select (select value from setting where name = :name) as position,
                   (select min(coalesce(counted_through, '1970-01-01')) from cluster_lock where name like 'task-%')
                     as mark,
                   exists (select 1 from task_uncounted) as noted
            """;
    private static final String NEWER = """
            select 1 from task_history h force index (by_ended_at)
             where h.ended_at >= :at and h.ended_at < :until and (h.ended_at > :at or h.id > :id) limit 1
            """;
    private static final String OLDEST_LEFT = """
            select h.ended_at from task_history h force index (by_ended_at)
             where h.ended_at >= :at and (h.ended_at > :at or h.id > :id) order by h.ended_at, h.id limit 1
            """;
    private static final String RAISE = """
            update %s
               set l.counted_through = greatest(coalesce(l.counted_through, '1970-01-01'), :mark)
            """;
    private static final String LOCK = "select value from setting where name = :name for update";
    private static final String MOVE = "update setting set value = :position where name = :name";

    private static final String NEXT = "select " + CountedRow.COLUMNS + """
            , u.task_id is not null as noted
              from task_history h force index (by_ended_at)
              left join task_uncounted u on u.task_id = h.id
             where h.ended_at >= :at and h.ended_at < :mark and (h.ended_at > :at or h.id > :id)
             order by h.ended_at, h.id limit :most
            """;
    private static final String NOTED = "select " + CountedRow.COLUMNS + """
              from task_uncounted u straight_join task_history h on h.id = u.task_id
             where h.ended_at < :at or h.ended_at = :at and h.id <= :id
             order by u.task_id limit :most
            """;
    private static final String PURGED = """
            select u.task_id from task_uncounted u left join task_history h on h.id = u.task_id
             where h.id is null limit :most
            """;
    /** Handover of late rows to the reader of history for alerts, which has passed them already, or leaves them out. */
    private static final String HAND_ON = """
            insert ignore into alert_late (task_id)
            select v.id from json_table('%s', '$[*]' columns (id bigint path '$')) v
            """;

    private static final String FORGET = "delete from task_uncounted where task_id in (%s)";

    private final Database database;

    public Counting(Database database) {
        this.database = database;
    }

    /**
     * Progress of the counting.
     *
     * @param at all that ended before this is counted, but for what is noted
     * @param id of the last task that ended at that time and is counted
     * @param mark up to which it may go on
     * @param noted whether there is something that was written late
     * @param newer whether something ended later, but before the mark or the time that was asked for
     */
    public record CountingState(Instant at, long id, Instant mark, boolean noted, boolean newer) {

        private String position() {
            return SqlTime.text(at) + " " + id;
        }
    }

    /** @param more whether there may be more to count up to the mark */
    public record CountedBatch(int rows, boolean more) {}

    /** Begins with the oldest row of history, unless somebody has begun before. */
    public void begin() {
        database.transact("beginning to count history", handle -> update(handle, FIRST, "name", POSITION));
    }

    /** @param until what ended later is not asked for yet */
    public CountingState state(Instant until) {
        return database.autoCommit("reading how far history is counted", handle -> {
            CountingState state = query(handle, SEEN, "name", POSITION)
                    .map((row, context) -> {
                        String position = row.getString("position");
                        return new CountingState(
                                time(position),
                                id(position),
                                SqlTime.read(row, "mark"),
                                row.getBoolean("noted"),
                                false);
                    })
                    .one();
            Instant before = until.isAfter(state.mark()) ? until : state.mark();
            boolean newer = !query(handle, NEWER, "at", SqlTime.text(state.at()), "id", state.id())
                    .bind("until", SqlTime.text(before))
                    .mapTo(Integer.class)
                    .list()
                    .isEmpty();
            return new CountingState(state.at(), state.id(), state.mark(), state.noted(), newer);
        });
    }

    /** Raises the mark to this time, if it is not there yet. */
    public void reach(Instant mark) {
        for (int from = 0; from < Locks.STRIPES; from += TOGETHER) {
            List<Integer> stripes =
                    IntStream.range(from, from + TOGETHER).boxed().toList();
            database.transact("marking up to when history is counted", handle -> {
                Locks.stripes(handle, stripes);
                return update(handle, RAISE.formatted(Locks.rows(stripes)), "mark", SqlTime.text(mark));
            });
        }
    }

    /** Counts the next rows, in the order of their end, up to the mark. */
    public CountedBatch count(int most) {
        return database.transact("counting history", handle -> {
            CountingState from = locked(handle);
            Set<Long> noted = new LinkedHashSet<>();
            Map<Long, CountedRow> rows = next(handle, from, most, noted);
            if (rows.isEmpty()) {
                return new CountedBatch(0, false);
            }
            CountedRow last = List.copyOf(rows.values()).get(rows.size() - 1);
            CountingState to = after(last, from.mark());
            List<CountedRow> counted = rows.values().stream()
                    .filter(row -> !noted.contains(row.run().id()) && !row.withdrawn())
                    .toList();
            Tallies.write(handle, counted, to);
            update(handle, MOVE, "name", POSITION, "position", to.position());
            return new CountedBatch(rows.size(), rows.size() == most);
        });
    }

    /** Reads the next rows, by id; adds the noted ones to {@code noted}. */
    private static Map<Long, CountedRow> next(Handle handle, CountingState from, int most, Set<Long> noted) {
        Map<Long, CountedRow> rows = new LinkedHashMap<>();
        CountingState at = from;
        int found;
        int asked;
        do {
            asked = Math.min(READ_AT_ONCE, most - rows.size());
            List<CountedRow> page = page(handle, at, asked, noted);
            page.forEach(row -> rows.put(row.run().id(), row));
            found = page.size();
            at = page.isEmpty() ? at : after(page.get(found - 1), from.mark());
        } while (found == asked && rows.size() < most);
        return rows;
    }

    private static List<CountedRow> page(Handle handle, CountingState from, int most, Set<Long> noted) {
        return query(handle, NEXT, "at", SqlTime.text(from.at()), "id", from.id(), "mark", SqlTime.text(from.mark()))
                .bind("most", most)
                .map((row, context) -> {
                    CountedRow next = CountedRow.read(row);
                    if (row.getBoolean("noted")) {
                        noted.add(next.run().id());
                    }
                    return next;
                })
                .list();
    }

    private static CountingState after(CountedRow last, Instant mark) {
        return new CountingState(last.endedAt(), last.run().id(), mark, false, false);
    }

    /** Counts rows that were written late. */
    public CountedBatch countNoted(int most) {
        return database.transact("counting history that was written late", handle -> {
            CountingState at = locked(handle);
            List<CountedRow> rows = query(handle, NOTED, "at", SqlTime.text(at.at()), "id", at.id(), "most", most)
                    .map((row, context) -> CountedRow.read(row))
                    .list();
            List<Long> done = rows.isEmpty()
                    ? query(handle, PURGED, "most", most).mapTo(Long.class).list()
                    : rows.stream().map(row -> row.run().id()).toList();
            InList.change(handle, done, part -> FORGET.formatted(InList.ids(part)));
            if (!rows.isEmpty()) {
                InList.change(handle, done, part -> HAND_ON.formatted(JsonRows.ids(part)));
            }
            Tallies.write(handle, rows.stream().filter(row -> !row.withdrawn()).toList(), at);
            return new CountedBatch(done.size(), done.size() == most);
        });
    }

    private static CountingState locked(Handle handle) {
        Decision.COUNTING.exclude(handle);
        String position =
                query(handle, LOCK, "name", POSITION).mapTo(String.class).one();
        return query(handle, SEEN, "name", POSITION)
                .map((row, context) ->
                        new CountingState(time(position), id(position), SqlTime.read(row, "mark"), false, false))
                .one();
    }

    /** Returns the time before which all ends are counted, except for late rows that are still noted. */
    public static Instant countedThrough(Handle handle, Instant now) {
        List<CountingState> states = query(handle, SEEN, "name", POSITION)
                .map((row, context) -> {
                    String position = row.getString("position");
                    return position == null
                            ? new CountingState(Instant.EPOCH, 0, Instant.EPOCH, false, false)
                            : new CountingState(time(position), id(position), SqlTime.read(row, "mark"), false, false);
                })
                .list();
        CountingState state = states.get(0);
        List<Instant> next = query(handle, OLDEST_LEFT, "at", SqlTime.text(state.at()), "id", state.id())
                .map((row, context) -> SqlTime.read(row, "ended_at"))
                .list();
        return next.isEmpty() || next.get(0).isAfter(now) ? now : next.get(0);
    }

    private static Instant time(String position) {
        return LocalDateTime.parse(position.substring(0, 23).replace(' ', 'T')).toInstant(ZoneOffset.UTC);
    }

    private static long id(String position) {
        return Long.parseLong(position.substring(24));
    }
}
