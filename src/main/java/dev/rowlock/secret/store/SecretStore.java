package dev.rowlock.secret.store;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.rowlock.audit.Audit;
import dev.rowlock.audit.AuditAction;
import dev.rowlock.audit.Subject;
import dev.rowlock.db.Database;
import dev.rowlock.db.Decision;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.JobKey;
import dev.rowlock.secret.Sealed;
import dev.rowlock.secret.SecretLabel;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/** Secrets as they are stored: encrypted. Thread-safe. */
public final class SecretStore {

    private static final String COLUMNS =
            "select s.id, s.namespace, s.name, s.version, s.key_id, s.created_at, s.updated_at from secret s ";
    private static final String PAGE = COLUMNS + """
             where %s (s.namespace > :afterNamespace or s.namespace = :afterNamespace and s.name > :afterName)
             order by s.namespace, s.name limit :most
            """;
    private static final String ONE = COLUMNS + "where s.namespace = :namespace and s.name = :name";
    private static final String NAMED = COLUMNS.replace("from secret s ", """
              from json_table(:keys, '$[*]' columns (
                     namespace varchar(64) character set utf8mb4 collate utf8mb4_bin path '$[0]',
                     name varchar(128) character set utf8mb4 collate utf8mb4_bin path '$[1]')) v
              straight_join secret s on s.namespace = v.namespace and s.name = v.name
            """);
    private static final String SEALED =
            "select s.key_id, s.sealed from secret s where s.id = :id and s.version = :version";
    private static final String INSERT = """
            insert ignore into secret (namespace, name, version, key_id, sealed, created_at, updated_at)
            values (:namespace, :name, 1, :key, :sealed, utc_timestamp(3), utc_timestamp(3))
            """;
    private static final String UPDATE = """
            update secret set version = :version, key_id = :key, sealed = :sealed, updated_at = utc_timestamp(3)
             where id = :id
            """;
    private static final String NOT_UNDER = COLUMNS.replace("s.key_id,", "s.key_id, s.sealed,")
            + "where s.id > :after and s.key_id <> :key order by s.id limit :most";
    private static final String RESEAL =
            "update secret set key_id = :key, sealed = :sealed where id = :id and version = :version"
                    + " and key_id = :seen";

    private final Database database;

    public SecretStore(Database database) {
        this.database = database;
    }

    /** Public facts about a secret. A value that is deleted and created again has another id. */
    public record SecretFacts(
            long id, String namespace, String name, int version, String keyId, Instant createdAt, Instant updatedAt) {

        public SecretLabel label() {
            return new SecretLabel(namespace, name, version);
        }
    }

    /**
     * Lists secrets by namespace and name, after one.
     *
     * @param namespaces empty: all
     */
    public List<SecretFacts> list(Set<String> namespaces, String afterNamespace, String afterName, int most) {
        return database.autoCommit("listing secrets", handle -> {
            Query page = handle.createQuery(
                            PAGE.formatted(namespaces.isEmpty() ? "" : "s.namespace in (<namespaces>) and"))
                    .bind("afterNamespace", afterNamespace)
                    .bind("afterName", afterName)
                    .bind("most", most);
            return (namespaces.isEmpty() ? page : page.bindList("namespaces", List.copyOf(namespaces)))
                    .map((row, context) -> read(row))
                    .list();
        });
    }

    public Optional<SecretFacts> find(String namespace, String name) {
        return database.autoCommit(
                "reading secret " + namespace + "/" + name, handle -> find(handle, namespace, name, ""));
    }

    /** Returns those of these secrets that exist. */
    public List<SecretFacts> named(Collection<JobKey> keys) {
        return keys.isEmpty()
                ? List.of()
                : database.autoCommit(
                        "reading secrets",
                        handle -> query(handle, NAMED, "keys", rows(keys))
                                .map((row, context) -> read(row))
                                .list());
    }

    /** Returns the value in that version; empty if it was changed or deleted since. */
    public Optional<Sealed> sealed(SecretFacts entry) {
        return database.autoCommit(
                "reading secret " + entry.label(),
                handle -> query(handle, SEALED, "id", entry.id(), "version", entry.version())
                        .map((row, context) -> sealed(row))
                        .findOne());
    }

    /**
     * Creates a secret, or changes its value.
     *
     * @param seal told as what it is sealed; may be called again
     * @param guard told what is there; if it throws, nothing is changed
     * @return whether it was not there before
     */
    public boolean put(
            String namespace,
            String name,
            Function<SecretLabel, Sealed> seal,
            Consumer<Optional<SecretFacts>> guard,
            Audit audit) {
        return database.transact("saving secret " + namespace + "/" + name, handle -> {
            Sealed first = seal.apply(new SecretLabel(namespace, name, 1));
            int inserted = update(
                    handle,
                    INSERT,
                    "namespace",
                    namespace,
                    "name",
                    name,
                    "key",
                    first.keyId(),
                    "sealed",
                    first.bytes());
            if (inserted == 1) {
                guard.accept(Optional.empty());
                audit.doing(AuditAction.CREATE).write(handle, subject(namespace, name), json(1, first.keyId()));
                return true;
            }
            SecretFacts there = find(handle, namespace, name, " for update").orElseThrow();
            guard.accept(Optional.of(there));
            int version = there.version() + 1;
            Sealed next = seal.apply(new SecretLabel(namespace, name, version));
            update(handle, UPDATE, "id", there.id(), "version", version, "key", next.keyId(), "sealed", next.bytes());
            audit.doing(AuditAction.REPLACE)
                    .write(
                            handle,
                            subject(namespace, name),
                            json(there.version(), there.keyId()),
                            json(version, next.keyId()));
            return false;
        });
    }

    /** Secret with its value, as it is stored. */
    public record SealedSecret(SecretFacts entry, Sealed sealed) {}

    /** Returns secrets encrypted with other keys, in order of ids, after one. */
    public List<SealedSecret> notUnder(String keyId, long afterId, int most) {
        return database.autoCommit(
                "reading secrets under other keys",
                handle -> query(handle, NOT_UNDER, "key", keyId, "after", afterId, "most", most)
                        .map((row, context) -> new SealedSecret(read(row), sealed(row)))
                        .list());
    }

    /**
     * Replaces the encrypted form by that with another key.
     *
     * @return false: it was changed, or is gone
     */
    public boolean reseal(SecretFacts seen, Sealed sealed, Audit audit) {
        return database.transact("encrypting secret " + seen.label(), handle -> {
            int changed = handle.createUpdate(RESEAL)
                    .bind("id", seen.id())
                    .bind("version", seen.version())
                    .bind("seen", seen.keyId())
                    .bind("key", sealed.keyId())
                    .bind("sealed", sealed.bytes())
                    .execute();
            if (changed == 1) {
                audit.write(
                        handle,
                        subject(seen.namespace(), seen.name()),
                        json(seen.version(), seen.keyId()),
                        json(seen.version(), sealed.keyId()));
            }
            return changed == 1;
        });
    }

    private static Subject subject(String namespace, String name) {
        return new Subject("secret", namespace, name);
    }

    /** Returns what the audit shows of a secret. */
    private static JsonNode json(int version, String keyId) {
        return JsonNodeFactory.instance.objectNode().put("version", version).put("keyId", keyId);
    }

    /** Receiver of each secret that a job names. */
    @FunctionalInterface
    public interface Users {
        void uses(String secret, JobKey job);
    }

    /** Finds the jobs of a namespace that name stored secrets, in order of names. */
    public void users(String namespace, Users users) {
        database.autoCommit(
                "looking for jobs that use secrets", handle -> NamedSecrets.users(handle, namespace, users));
    }

    /**
     * Deletes a secret.
     *
     * @param most how many of the jobs that use it are answered
     * @param force whether it is deleted although jobs use it
     * @param guard told what is there, under its lock; if it throws, nothing is changed
     * @return those that use it; if there are some and it is not forced, it stays. Empty: there is no such secret
     */
    public Optional<List<JobKey>> delete(
            String namespace,
            String name,
            int most,
            boolean force,
            Consumer<Optional<SecretFacts>> guard,
            Audit audit) {
        return database.transact("deleting secret " + namespace + "/" + name, handle -> {
            Decision.NAMES.exclude(handle);
            Optional<SecretFacts> there = find(handle, namespace, name, " for update");
            guard.accept(there);
            List<JobKey> jobs = new ArrayList<>();
            if (there.isPresent()) {
                NamedSecrets.users(handle, namespace, (secret, job) -> {
                    if (secret.equals(name) && jobs.size() < most) {
                        jobs.add(job);
                    }
                });
                if (jobs.isEmpty() || force) {
                    update(
                            handle,
                            "delete from secret where id = :id",
                            "id",
                            there.get().id());
                    JsonNode was = json(there.get().version(), there.get().keyId());
                    audit.doing(AuditAction.DELETE).write(handle, subject(namespace, name), was, null);
                }
            }
            return there.map(entry -> jobs);
        });
    }

    private static Optional<SecretFacts> find(Handle handle, String namespace, String name, String locking) {
        return query(handle, ONE + locking, "namespace", namespace, "name", name)
                .map((row, context) -> read(row))
                .findOne();
    }

    private static Sealed sealed(ResultSet row) throws SQLException {
        return new Sealed(row.getString("key_id"), row.getBytes("sealed"));
    }

    private static SecretFacts read(ResultSet row) throws SQLException {
        return new SecretFacts(
                row.getLong("id"),
                row.getString("namespace"),
                row.getString("name"),
                row.getInt("version"),
                row.getString("key_id"),
                SqlTime.read(row, "created_at"),
                SqlTime.read(row, "updated_at"));
    }

    private static String rows(Collection<JobKey> keys) {
        return JsonRows.of(new ArrayList<>(keys), key -> JsonRows.row(key.namespace(), key.name()));
    }
}
