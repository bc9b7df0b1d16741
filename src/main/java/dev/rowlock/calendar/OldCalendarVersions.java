package dev.rowlock.calendar;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.Database;
import dev.rowlock.db.SqlTime;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Purge of versions of calendars that nobody needs: those that were replaced before the period of history, and that no
 * version of a job names that is kept.
 */
public final class OldCalendarVersions {

    private static final String REPLACED = """
            select v.name, v.mark from calendar_version v
             where v.valid_until < :before
               and not exists (select 1 from calendar c where c.name = v.name and c.mark = v.mark)
             limit :most
            """;
    private static final String THROUGH = """
            select max(p.job_id) from (
              select job_id from job_version where job_id > :after order by job_id limit :most) p
            """;
    private static final String NAMED = """
            select distinct v.name, v.mark
              from calendar_version v
              join (select distinct json_extract(definition, '$.calendarVersions') as versions
                      from job_version
                     where job_id > :after and job_id <= :through
                       and json_extract(definition, '$.calendarVersions') is not null) n
                on json_unquote(json_extract(n.versions, concat('$."', v.name, '"'))) = v.mark
             where v.valid_until < :before
            """;
    private static final String DELETE =
            "delete from calendar_version where name = :name and mark = :mark and valid_until < :before";

    private static final int MOST = 10_000;
    private static final int VERSIONS_AT_ONCE = 2_000;
    private static final int DELETED_AT_ONCE = 100;

    private final Database database;

    public OldCalendarVersions(Database database) {
        this.database = database;
    }

    /** Version of a calendar, by the mark that jobs name. */
    public record MarkedVersion(String name, String mark) {}

    /** Returns some versions that were replaced before a time, and are not in force again. */
    public Set<MarkedVersion> replaced(Instant before) {
        return database.autoCommit(
                "looking for old versions of calendars",
                handle -> new HashSet<>(query(handle, REPLACED, "before", SqlTime.text(before), "most", MOST)
                        .map((row, context) -> new MarkedVersion(row.getString("name"), row.getString("mark")))
                        .list()));
    }

    /**
     * Removes those that versions of some jobs name.
     *
     * @param after the id of the last job that was looked at
     * @return that of the last one now; empty: that were all
     */
    public OptionalLong keepNamed(Set<MarkedVersion> replaced, Instant before, long after) {
        return database.autoCommit("looking which calendars versions of jobs name", handle -> {
            @Nullable
            Long through = query(handle, THROUGH, "after", after, "most", VERSIONS_AT_ONCE)
                    .mapTo(Long.class)
                    .findOne()
                    .orElse(null);
            if (through == null) {
                return OptionalLong.empty();
            }
            query(handle, NAMED, "after", after, "through", through, "before", SqlTime.text(before))
                    .map((row, context) ->
                            replaced.remove(new MarkedVersion(row.getString("name"), row.getString("mark"))))
                    .list();
            return OptionalLong.of(through);
        });
    }

    /** Deletes some of these versions, and takes them out; returns whether there are more. */
    public boolean delete(Set<MarkedVersion> needless, Instant before) {
        List<MarkedVersion> some = needless.stream().limit(DELETED_AT_ONCE).toList();
        String time = SqlTime.text(before);
        database.transact("deleting old versions of calendars", handle -> {
            some.forEach(
                    version -> update(handle, DELETE, "name", version.name(), "mark", version.mark(), "before", time));
            return some.size();
        });
        some.forEach(needless::remove);
        return !needless.isEmpty();
    }
}
