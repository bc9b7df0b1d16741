package dev.rowlock.task.history;

import static dev.rowlock.db.Sql.query;

import dev.rowlock.db.Decision;
import dev.rowlock.db.InList;
import java.util.List;
import org.jdbi.v3.core.Handle;

/**
 * Correction of the counts for rows of history that are about to be corrected. Rows that the counting has passed are
 * subtracted in the same transaction; the others are counted later, as they stand then. None of these rows ran, so only
 * days and minutes include them.
 */
final class Corrected {

    /** Lock of the row with the position of the counting: nothing is counted while it is held. */
    private static final String LOCK = "select value from setting where name = 'history-counted' for update";

    private static final String COUNTED = """
            select h.id
              from task_history h left join task_uncounted u on u.task_id = h.id
             where h.id in (<ids>) and u.task_id is null
               and (h.ended_at < :at or h.ended_at = :at and h.id <= :last)
            """;

    /** Numbers of fire times to subtract, by day or minute. */
    private static final String LESS = """
            sum(if(h.outcome = 'SKIPPED', h.occurrences - %1$s, 0)) as skipped,
            sum(if(h.outcome = 'MISSED', h.occurrences - %1$s, 0)) as missed
              from task_history h where h.id in (%2$s)
            """;

    private static final String DAYS = """
            update (select h.job_id, date(h.ended_at) as day, %s group by h.job_id, date(h.ended_at)) less
              straight_join job_day d on d.job_id = less.job_id and d.day = less.day
               set d.skipped = d.skipped - less.skipped, d.missed = d.missed - less.missed
            """;
    private static final String MINUTES = """
            update (select date_format(h.ended_at, '%%Y-%%m-%%d %%H:%%i:00') as minute, count(*) as of_them, %s
                     group by date_format(h.ended_at, '%%Y-%%m-%%d %%H:%%i:00')) less
              straight_join history_minute m on m.minute = less.minute
               set m.skipped = m.skipped - less.skipped, m.missed = m.missed - less.missed,
                   m.cancelled = m.cancelled + %s
            """;

    private Corrected() {}

    /** Subtracts rows that will be {@code CANCELLED}. */
    static void voided(Handle handle, List<Long> ids) {
        takeOff(handle, ids, 0, "less.of_them");
    }

    /**
     * Subtracts the fire times that this row will no longer stand for.
     *
     * @param occurrences those that it will stand for
     */
    static void shortened(Handle handle, long id, long occurrences) {
        takeOff(handle, List.of(id), occurrences, "0");
    }

    private static void takeOff(Handle handle, List<Long> ids, long left, String cancelled) {
        List<Long> counted = ids.isEmpty() ? List.of() : counted(handle, ids);
        InList.change(handle, counted, part -> DAYS.formatted(LESS.formatted(left, InList.ids(part))));
        InList.change(handle, counted, part -> MINUTES.formatted(LESS.formatted(left, InList.ids(part)), cancelled));
    }

    private static List<Long> counted(Handle handle, List<Long> ids) {
        Decision.COUNTING.exclude(handle);
        List<String> position = query(handle, LOCK).mapTo(String.class).list();
        if (position.isEmpty()) {
            return List.of();
        }
        return query(handle, COUNTED, "at", position.get(0).substring(0, 23))
                .bind("last", Long.parseLong(position.get(0).substring(24)))
                .bindList("ids", ids)
                .mapTo(Long.class)
                .list();
    }
}
