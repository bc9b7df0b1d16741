package dev.rowlock.store.job;

import dev.rowlock.db.Conditions;
import dev.rowlock.job.JobFilter;
import dev.rowlock.job.Total;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/** Count of jobs by the entries of one index, and no more of them than show that there are many. */
final class JobTotal {

    private static final int LOOKED_AT = Total.MOST + 1;

    private JobTotal() {}

    /** Counts the jobs; returns empty if rows would have to be read. */
    static Optional<Total> count(Handle handle, JobFilter filter) {
        if (filter.state() != null || !filter.labels().isEmpty()) {
            return Optional.empty();
        }
        Conditions where = new Conditions();
        where.add("i.namespace = :namespace", "namespace", filter.namespace());
        if (!filter.within().isEmpty()) {
            where.addList("i.namespace in (<within>)", "within", List.copyOf(filter.within()));
        }
        List<String> words = JobConditions.words(filter);
        boolean anyText = words.isEmpty();
        String found = IntStream.range(0, words.size())
                .mapToObj(i -> JobConditions.has("word" + i, "c.searched"))
                .collect(Collectors.joining(" and "));
        Query query = handle.createQuery("select count(*) as looked_at, "
                + (anyText ? "count(*)" : "coalesce(sum(" + found + "), 0)")
                + " as found from (select " + (anyText ? "1" : JobConditions.searched("i") + " as searched")
                + " from job i force index ("
                + (anyText ? "job_by_name" : "by_find") + ")" + where.sql() + " limit " + LOOKED_AT + ") c");
        where.bind(query);
        for (int i = 0; i < words.size(); i++) {
            query.bind("word" + i, words.get(i));
        }
        return Optional.of(query.map((row, context) -> row.getLong("looked_at") < LOOKED_AT
                        ? new Total(row.getLong("found"), false)
                        : new Total(Math.min(row.getLong("found"), Total.MOST), true))
                .one());
    }
}
