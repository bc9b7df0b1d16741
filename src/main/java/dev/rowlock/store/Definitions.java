package dev.rowlock.store;

import dev.rowlock.job.JobKey;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/** Reads the definitions that loops work with. */
public final class Definitions {

    private static final String CURRENT = """
            select j.id, j.namespace, j.name, j.version, j.definition, j.created_at
              from json_table(:ids, '$[*]' columns (id bigint path '$[0]')) v
              straight_join job j on j.id = v.id
            """;

    private final Database database;

    public Definitions(Database database) {
        this.database = database;
    }

    /** @param json the definition as it is stored */
    public record Stored(long jobId, JobKey key, int version, String json, Instant createdAt) {}

    /** The definitions in force; jobs that were deleted are missing from the answer. */
    public List<Stored> current(Collection<Long> jobs) {
        if (jobs.isEmpty()) {
            return List.of();
        }
        return database.read(
                "reading definitions",
                handle -> handle.createQuery(CURRENT)
                        .bind("ids", JsonRows.of(jobs, JsonRows::row))
                        .map((row, context) -> new Stored(
                                row.getLong("id"),
                                new JobKey(row.getString("namespace"), row.getString("name")),
                                row.getInt("version"),
                                row.getString("definition"),
                                SqlTime.read(row, "created_at")))
                        .list());
    }
}
