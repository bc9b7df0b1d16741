package dev.rowlock.alert.store;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.alert.AlertSilence;
import dev.rowlock.audit.Audit;
import dev.rowlock.audit.AuditAction;
import dev.rowlock.audit.Subject;
import dev.rowlock.db.Database;
import dev.rowlock.db.SizedRows;
import dev.rowlock.db.SqlTime;
import dev.rowlock.field.FieldProblem;
import dev.rowlock.field.InvalidDefinition;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Silences. Thread-safe. */
public final class SilenceStore {

    private static final String READ =
            "select id, definition, until_at, created_at, until_at > utc_timestamp(3) as active from alert_silence ";
    private static final String LIST =
            READ + " where (:before is null or id < :before) and %s order by id desc limit :most";
    private static final String FIND = READ + " where id = :id";
    private static final String ACTIVE =
            READ + " force index (by_end) where until_at > utc_timestamp(3) order by until_at";
    private static final String ADD = """
            insert into alert_silence (definition, until_at, created_at)
            values (:definition, :until, utc_timestamp(3))
            """;
    /** Statement that makes messages waiting for its end due. */
    private static final String WAKE = """
            update alert_message set next_at = utc_timestamp(3)
             where state = 'WAITING' and silence_id = :id
            """;

    private final Database database;

    public SilenceStore(Database database) {
        this.database = database;
    }

    /** @param active whether it has not ended */
    public record StoredSilence(long id, AlertSilence silence, Instant createdAt, boolean active) {}

    /**
     * Lists the silences made before this one that are about one of these namespaces, newest first.
     *
     * @param within empty: about any
     */
    public Cut<StoredSilence> list(@Nullable Long before, int most, Set<String> within) {
        String seen = within.isEmpty() ? "true" : NamedDefinitions.isOf(within);
        return database.autoCommit(
                "listing silences",
                handle -> Cut.of(
                        SizedRows.read(
                                query(handle, LIST.formatted(seen), "before", before, "most", most),
                                (row, context) -> read(row),
                                silence -> silence.silence().json().toString().length(),
                                NamedDefinitions.PAGE_WEIGHT),
                        row -> row));
    }

    public Optional<StoredSilence> find(long id) {
        return database.autoCommit("reading silence " + id, handle -> find(handle, id));
    }

    /** @throws InvalidDefinition it would be over already */
    public StoredSilence add(AlertSilence silence, Audit audit) {
        return database.transact("adding a silence", handle -> {
            if (!silence.until().isAfter(SqlTime.now(handle))) {
                throw new InvalidDefinition(List.of(
                        new FieldProblem("until", "lies in the past, by the database's clock; name a later time")));
            }
            long id = handle.createUpdate(ADD)
                    .bind("definition", silence.json().toString())
                    .bind("until", SqlTime.text(silence.until()))
                    .executeAndReturnGeneratedKeys("id")
                    .mapTo(Long.class)
                    .one();
            audit.doing(AuditAction.CREATE).write(handle, subject(id, silence), silence.json());
            return find(handle, id).orElseThrow();
        });
    }

    /**
     * Ends a silence; messages waiting for that are sent now, if they still matter. Returns false if there was none.
     */
    public boolean delete(long id, Audit audit) {
        return database.transact("deleting silence " + id, handle -> {
            find(handle, id)
                    .ifPresent(was -> audit.doing(AuditAction.DELETE)
                            .write(
                                    handle,
                                    subject(id, was.silence()),
                                    was.silence().json(),
                                    null));
            boolean deleted = update(handle, "delete from alert_silence where id = :id", "id", id) == 1;
            update(handle, WAKE, "id", id);
            return deleted;
        });
    }

    private static Subject subject(long id, AlertSilence silence) {
        return new Subject("silence", silence.namespace(), String.valueOf(id));
    }

    /** Returns the silences that have not ended. */
    static List<StoredSilence> active(Handle handle) {
        return query(handle, ACTIVE).map((row, context) -> read(row)).list();
    }

    private static Optional<StoredSilence> find(Handle handle, long id) {
        return query(handle, FIND, "id", id).map((row, context) -> read(row)).findOne();
    }

    private static StoredSilence read(ResultSet row) throws SQLException {
        return new StoredSilence(
                row.getLong("id"),
                AlertSilence.stored(NamedDefinitions.json(row.getString("definition"))),
                SqlTime.read(row, "created_at"),
                row.getBoolean("active"));
    }
}
