package dev.rowlock.access;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.rowlock.audit.Audit;
import dev.rowlock.audit.AuditAction;
import dev.rowlock.audit.Subject;
import dev.rowlock.db.Database;
import dev.rowlock.db.Decision;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SqlTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Hashes of tokens; the tokens themselves are never stored. Thread-safe. */
public final class TokenStore {

    /** Most tokens: each node keeps all of them in memory. */
    public static final int MOST = 1_000;

    /** Placeholder in the row of a deleted token, whose name must not be claimed by a node that starts. */
    private static final String NO_HASH = "";

    private static final String FIND = "select hash from api_token where name = :name";
    private static final String KNOWN = """
            select name, token_id, hash, role, namespaces,
                   timestampdiff(microsecond, utc_timestamp(6), expires_at) as expires_in,
                   if(previous_until > utc_timestamp(6), previous_hash, null) as previous_hash,
                   coalesce(timestampdiff(microsecond, utc_timestamp(6), previous_until), 0) as previous_in
              from api_token where hash <> ''
            """;
    private static final String VIEW = """
            select name, role, namespaces, created_at, expires_at, last_used_at,
                   if(previous_until > utc_timestamp(3), previous_until, null) as previous_until
              from api_token where hash <> ''
            """;
    private static final String PAGE = " and (:after is null or name > :after) order by name limit :most";
    private static final String CLAIM =
            "insert ignore into api_token (name, hash, created_at) values (:name, :hash, utc_timestamp(3))";
    private static final String REPLACE = """
            insert into api_token (name, hash, created_at) values (:name, :hash, utc_timestamp(3))
            on duplicate key update created_at = if(hash = :hash, created_at, utc_timestamp(3)), hash = :hash,
                   role = 'admin', namespaces = null, expires_at = null, previous_hash = null, previous_until = null
            """;
    private static final String INSERT = """
            insert into api_token (name, token_id, hash, role, namespaces, created_at, expires_at)
            values (:name, :id, :hash, :role, :namespaces, utc_timestamp(3), :expires)
            """;
    private static final String LOCK = "select name, hash from api_token order by name for update";
    private static final String OTHER_ADMINS = """
            select count(*) from api_token
             where name <> :name and role = 'admin' and namespaces is null and expires_at is null and hash <> ''
            """;
    private static final String IS_ADMIN =
            "select role = 'admin' and namespaces is null from api_token where name = :name";
    private static final String DELETE = "delete from api_token where name = :name";
    private static final String CLEAR = """
            update api_token set hash = '', previous_hash = null, previous_until = null, last_used_at = null
             where name = :name
            """;
    private static final String ROTATE = """
            update api_token
               set previous_until = if(:overlap > 0,
                     least(coalesce(expires_at, '9999-01-01'), utc_timestamp(3) + interval :overlap * 1000 microsecond),
                     null),
                   previous_hash = if(:overlap > 0, hash, null), hash = :hash, expires_at = :expires
             where name = :name and hash <> ''
            """;
    private static final String USED = """
            update api_token
               set last_used_at = greatest(coalesce(last_used_at, '1970-01-02'),
                                           utc_timestamp(3) - interval :ago microsecond)
             where name = :name
            """;

    private final Database database;

    public TokenStore(Database database) {
        this.database = database;
    }

    /** Result of a request to change or delete a token. */
    public enum TokenChangeResult {
        DONE,
        NOT_FOUND,
        /** The token is the only one by which others can be made. */
        LAST_ADMIN
    }

    /** @return SHA-256 in lower-case hex */
    public Optional<String> find(String name) {
        return database.autoCommit(
                "reading the token " + name,
                handle -> query(handle, FIND, "name", name).mapTo(String.class).findOne());
    }

    /** Returns all tokens, including expired ones. */
    public List<StoredToken> known() {
        return database.autoCommit(
                "reading the tokens",
                handle -> handle.createQuery(KNOWN)
                        .map((row, context) -> TokenRows.read(row))
                        .list());
    }

    /** Lists the tokens after this name, in order, as people see them. */
    public List<TokenView> list(@Nullable String after, int most) {
        return database.autoCommit(
                "listing the tokens",
                handle -> query(handle, VIEW + PAGE, "after", after, "most", most)
                        .map((row, context) -> TokenRows.view(row))
                        .list());
    }

    public Optional<TokenView> view(String name) {
        return database.autoCommit("reading the token " + name, handle -> view(handle, name));
    }

    /** Returns the public id of a token. */
    public Optional<String> id(String name) {
        return database.autoCommit(
                "reading the token " + name,
                handle -> query(
                                handle,
                                "select token_id from api_token where name = :name and hash <> ''",
                                "name",
                                name)
                        .mapTo(String.class)
                        .findOne());
    }

    /** Returns the database's time. */
    public Instant now() {
        return database.autoCommit("reading the database's time", SqlTime::now);
    }

    /** Stores a hash unless there is one of this name; returns false if there is. */
    public boolean claim(String name, String hash) {
        return database.transact(
                "storing the token " + name, handle -> update(handle, CLAIM, "name", name, "hash", hash) == 1);
    }

    /** Stores the hash of an administrator's token without limits, replacing whatever has the name. */
    public void replace(String name, String hash, Audit audit) {
        database.transact("replacing the token " + name, handle -> {
            audit.doing(AuditAction.REPLACE)
                    .write(
                            handle,
                            Subject.of("token", name),
                            JsonNodeFactory.instance.objectNode().put("role", "admin"));
            return update(handle, REPLACE, "name", name, "hash", hash);
        });
    }

    /** Stores a new token; returns false if there is one of this name, or there are {@link #MOST}. */
    public boolean create(TokenView token, String id, String hash, Audit audit) {
        return database.transact("storing the token " + token.name(), handle -> {
            List<String> names = locked(handle);
            if (names.contains(token.name()) || names.size() >= MOST) {
                return false;
            }
            update(handle, DELETE, "name", token.name()); // what is left of one that was deleted
            @Nullable String namespaces = token.namespaces().isEmpty() ? null : JsonRows.text(token.namespaces());
            handle.createUpdate(INSERT)
                    .bind("name", token.name())
                    .bind("id", id)
                    .bind("hash", hash)
                    .bind("role", token.role())
                    .bind("namespaces", namespaces)
                    .bind("expires", SqlTime.textOrNull(token.expiresAt()))
                    .execute();
            audit.doing(AuditAction.CREATE).write(handle, Subject.of("token", token.name()), TokenRows.json(token));
            return true;
        });
    }

    /**
     * Deletes a token; within five seconds it no longer works on any node.
     *
     * @param keepsRow its name stays taken, so that no node which starts makes it again
     */
    public TokenChangeResult delete(String name, boolean keepsRow, Audit audit) {
        return database.transact("deleting the token " + name, handle -> {
            locked(handle);
            Optional<TokenView> seen = view(handle, name);
            if (seen.isEmpty()) {
                return TokenChangeResult.NOT_FOUND;
            }
            if (isLastAdmin(handle, name)) {
                return TokenChangeResult.LAST_ADMIN;
            }
            update(handle, keepsRow ? CLEAR : DELETE, "name", name);
            audit.doing(AuditAction.DELETE).write(handle, Subject.of("token", name), TokenRows.json(seen.get()), null);
            return TokenChangeResult.DONE;
        });
    }

    /**
     * Replaces the hash of a token.
     *
     * @param overlap how long the one before works, too
     * @param expires null: never
     * @return whether that was possible
     */
    public TokenChangeResult rotate(
            String name, String hash, Duration overlap, @Nullable Instant expires, Audit audit) {
        return database.transact("rotating the token " + name, handle -> {
            locked(handle);
            Optional<TokenView> before = view(handle, name);
            boolean ends = expires != null && before.isPresent() && before.get().expiresAt() == null;
            if (ends && isLastAdmin(handle, name)) {
                return TokenChangeResult.LAST_ADMIN;
            }
            int rotated = handle.createUpdate(ROTATE)
                    .bind("name", name)
                    .bind("hash", hash)
                    .bind("overlap", overlap.toMillis())
                    .bind("expires", SqlTime.textOrNull(expires))
                    .execute();
            if (rotated == 0 || before.isEmpty()) {
                return TokenChangeResult.NOT_FOUND;
            }
            audit.doing(AuditAction.ROTATE)
                    .write(
                            handle,
                            Subject.of("token", name),
                            TokenRows.json(before.get()),
                            TokenRows.json(view(handle, name).orElse(before.get())));
            return TokenChangeResult.DONE;
        });
    }

    /** Records how long ago tokens were used. */
    public void used(Map<String, Duration> ago) {
        database.transact("noting when tokens were used", handle -> {
            ago.forEach((name, since) -> update(handle, USED, "name", name, "ago", since.toNanos() / 1000));
            return null;
        });
    }

    /** Returns whether nobody could make tokens without this one. */
    private static boolean isLastAdmin(Handle handle, String name) {
        return query(handle, IS_ADMIN, "name", name).mapTo(Boolean.class).one()
                && query(handle, OTHER_ADMINS, "name", name)
                                .mapTo(Integer.class)
                                .one()
                        == 0;
    }

    /** Locks the tokens, so that nobody creates or deletes another one meanwhile. Returns their names. */
    private static List<String> locked(Handle handle) {
        Decision.TOKENS.exclude(handle);
        return handle
                .createQuery(LOCK)
                .map((row, context) -> NO_HASH.equals(row.getString("hash")) ? "" : row.getString("name"))
                .stream()
                .filter(name -> !name.isEmpty())
                .toList();
    }

    private static Optional<TokenView> view(Handle handle, String name) {
        return query(handle, VIEW + " and name = :name", "name", name)
                .map((row, context) -> TokenRows.view(row))
                .findOne();
    }
}
