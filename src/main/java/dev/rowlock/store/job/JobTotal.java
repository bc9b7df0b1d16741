package dev.rowlock.store.job;

import dev.rowlock.db.Conditions;
import dev.rowlock.job.JobFilter;
import dev.rowlock.job.Total;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/** Counts jobs where entries of one index are enough, and looks at no more of them than tell that there are many. */
final class JobTotal {

    private static final int LOOKED_AT = Total.MOST + 1;

    private JobTotal() {}

    /** Empty: rows would have to be read. */
    static Optional<Total> count(Handle handle, JobFilter filter) {
        if (filter.state() != null || !filter.labels().isEmpty()) {
            return Optional.empty();
        }
        Conditions where = new Conditions();
        where.add("i.namespace = :namespace", "namespace", filter.namespace());
        if (!filter.within().isEmpty()) {
            where.addList("i.namespace in (<within>)", "within", List.copyOf(filter.within()));
        }
        boolean anyText = filter.text() == null;
        Query query = handle.createQuery("select count(*) as looked_at, "
                + (anyText ? "count(*)" : "coalesce(sum(locate(cast(lower(:text) as binary), c.search) > 0), 0)")
                + " as found from (select " + (anyText ? "1" : "i.search") + " from job i force index ("
                + (anyText ? "job_by_name" : "by_find") + ")" + where.sql() + " limit " + LOOKED_AT + ") c");
        where.bind(query);
        if (!anyText) {
            query.bind("text", filter.text());
        }
        return Optional.of(query.map((row, context) -> row.getLong("looked_at") < LOOKED_AT
                        ? new Total(row.getLong("found"), false)
                        : new Total(Math.min(row.getLong("found"), Total.MOST), true))
                .one());
    }
}
