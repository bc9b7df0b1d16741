package dev.rowlock.alert.store;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.alert.AlertChannel;
import dev.rowlock.audit.Audit;
import dev.rowlock.audit.AuditAction;
import dev.rowlock.audit.Subject;
import dev.rowlock.db.Database;
import dev.rowlock.db.Decision;
import dev.rowlock.db.SizedRows;
import dev.rowlock.db.SqlTime;
import dev.rowlock.secret.CannotOpen;
import dev.rowlock.secret.KeyRing;
import dev.rowlock.secret.Sealed;
import dev.rowlock.secret.SecretLabel;
import dev.rowlock.secret.SecretValue;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Channels of alerts, whose secrets are encrypted. Thread-safe. */
public final class ChannelStore {

    /**
     * Pseudo-namespace in labels and messages. No namespace has this name, so no secret of a job is ever mistaken for
     * one of these.
     */
    public static final String PLACE = "(alert channel)";

    private static final String FIND = """
            select name, definition, version, key_id, sealed, created_at, updated_at from alert_channel
             where name = :name %s
            """;
    private static final String LIST = """
            select name, definition, version, key_id, sealed, created_at, updated_at from alert_channel
             where :after is null or name > :after order by name limit :most
            """;
    private static final String PUT = """
            insert into alert_channel (name, definition, version, key_id, sealed, created_at, updated_at)
            values (:name, :definition, :version, :key, :sealed, utc_timestamp(3), utc_timestamp(3))
            on duplicate key update updated_at = values(updated_at), definition = values(definition),
                   version = values(version), key_id = values(key_id), sealed = values(sealed)
            """;
    private static final String NOT_UNDER = """
            select name, definition, version, key_id, sealed, created_at, updated_at from alert_channel
             where name > :after and key_id <> :key order by name limit :most
            """;
    private static final String RESEAL = """
            update alert_channel set key_id = :key, sealed = :sealed
             where name = :name and version = :version and key_id = :seen
            """;
    private static final String USERS = """
            select name from alert_rule where json_contains(definition, json_quote(:name), '$.channels')
             order by name limit 4
            """;

    private final Database database;

    public ChannelStore(Database database) {
        this.database = database;
    }

    /**
     * Channel as it is stored.
     *
     * @param shown what may be seen of it
     * @param sealed the rest; null: there is nothing else
     */
    public record StoredChannel(
            String name,
            int version,
            ObjectNode shown,
            @Nullable Sealed sealed,
            Instant createdAt,
            Instant updatedAt) {

        /** Decrypts the channel, for sending. */
        public AlertChannel open(KeyRing keys) throws CannotOpen {
            return AlertChannel.stored(
                    shown,
                    sealed == null
                            ? null
                            : NamedDefinitions.parse(keys.open(label(), sealed).reveal()));
        }

        /** Returns whether its messages are signed. */
        public boolean isSigned() {
            return shown.path("signed").asBoolean();
        }

        public SecretLabel label() {
            return ChannelStore.label(name, version);
        }
    }

    private static SecretLabel label(String name, int version) {
        return new SecretLabel(PLACE, name, version);
    }

    /** Lists the channels after this name, in order. */
    public Cut<StoredChannel> list(@Nullable String after, int most) {
        return database.autoCommit(
                "listing channels",
                handle -> Cut.of(
                        SizedRows.read(
                                query(handle, LIST, "after", after, "most", most),
                                (row, context) -> read(row),
                                channel -> channel.shown.toString().length(),
                                NamedDefinitions.PAGE_WEIGHT),
                        row -> row));
    }

    public Optional<StoredChannel> find(String name) {
        return database.autoCommit("reading channel " + name, handle -> find(handle, name, ""));
    }

    /**
     * Creates or replaces a channel.
     *
     * @param seen what it was when the channel was made up; null: it was not there
     * @param keys seals what is secret of it
     * @return false: it is another by now, and nothing was changed
     */
    public boolean put(String name, AlertChannel channel, @Nullable StoredChannel seen, KeyRing keys, Audit audit) {
        return database.transact("saving channel " + name, handle -> {
            StoredChannel was = find(handle, name, "for update").orElse(null);
            if ((was == null ? 0 : was.version) != (seen == null ? 0 : seen.version)) {
                return false;
            }
            int version = was == null ? 1 : was.version + 1;
            ObjectNode secret = channel.secret();
            Sealed sealed = secret == null ? null : keys.seal(label(name, version), SecretValue.of(secret.toString()));
            handle.createUpdate(PUT)
                    .bind("name", name)
                    .bind("definition", channel.shown().toString())
                    .bind("version", version)
                    .bind("key", sealed == null ? null : sealed.keyId())
                    .bind("sealed", sealed == null ? null : sealed.bytes())
                    .execute();
            audit.doing(was == null ? AuditAction.CREATE : AuditAction.REPLACE)
                    .write(handle, subject(name), was == null ? null : was.shown, channel.shown());
            return true;
        });
    }

    /** Returns channels encrypted with other keys, in order of names, after one. */
    public List<StoredChannel> notUnder(String keyId, String after, int most) {
        return database.autoCommit(
                "reading channels under other keys",
                handle -> query(handle, NOT_UNDER, "key", keyId, "after", after, "most", most)
                        .map((row, context) -> read(row))
                        .list());
    }

    /**
     * Replaces the encrypted form by that with another key.
     *
     * @return false: it was changed, or is gone
     */
    public boolean reseal(StoredChannel seen, Sealed sealed, Audit audit) {
        String before = seen.sealed == null ? "" : seen.sealed.keyId();
        return database.transact("encrypting channel " + seen.name, handle -> {
            int changed = handle.createUpdate(RESEAL)
                    .bind("name", seen.name)
                    .bind("version", seen.version)
                    .bind("seen", before)
                    .bind("key", sealed.keyId())
                    .bind("sealed", sealed.bytes())
                    .execute();
            if (changed == 1) {
                audit.doing(AuditAction.ROTATE).write(handle, subject(seen.name), keyed(before), keyed(sealed.keyId()));
            }
            return changed == 1;
        });
    }

    private static ObjectNode keyed(String keyId) {
        return JsonNodeFactory.instance.objectNode().put("keyId", keyId);
    }

    /**
     * Deletes a channel that no rule uses.
     *
     * @param guard told what is there, under its lock; if it throws, nothing is changed
     * @return the rules that use it, of which the first are told; empty: it is deleted, or was not there
     */
    public List<String> delete(String name, Consumer<Optional<StoredChannel>> guard, Audit audit) {
        return database.transact("deleting channel " + name, handle -> {
            Decision.NAMES.exclude(handle);
            StoredChannel was = find(handle, name, "for update").orElse(null);
            guard.accept(Optional.ofNullable(was));
            List<String> users =
                    query(handle, USERS, "name", name).mapTo(String.class).list();
            if (users.isEmpty() && was != null) {
                audit.doing(AuditAction.DELETE).write(handle, subject(name), was.shown, null);
                update(handle, "delete from alert_channel where name = :name", "name", name);
            }
            return users;
        });
    }

    private static Subject subject(String name) {
        return Subject.of("alert-channel", name);
    }

    private static Optional<StoredChannel> find(Handle handle, String name, String locking) {
        return query(handle, FIND.formatted(locking), "name", name)
                .map((row, context) -> read(row))
                .findOne();
    }

    private static StoredChannel read(ResultSet row) throws SQLException {
        String key = row.getString("key_id");
        return new StoredChannel(
                row.getString("name"),
                row.getInt("version"),
                NamedDefinitions.json(row.getString("definition")),
                key == null ? null : new Sealed(key, row.getBytes("sealed")),
                SqlTime.read(row, "created_at"),
                SqlTime.read(row, "updated_at"));
    }
}
