package dev.rowlock.access;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.audit.Audit;
import dev.rowlock.audit.AuditAction;
import dev.rowlock.audit.Author;
import dev.rowlock.audit.Subject;
import dev.rowlock.db.Database;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SqlTime;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Sign-ins. Cookies are never stored, only their hashes; time is the database's. */
public final class SignInStore {

    /**
     * Condition that a token is valid, by its present hash or by the one that it may still be used under after a
     * rotation.
     */
    private static final String HOLDS = """
            (t.hash = %1$s or (t.previous_hash = %1$s and t.previous_until > utc_timestamp(3)))
               and (t.expires_at is null or t.expires_at > utc_timestamp(3))""";

    private static final String FIND = """
            select s.hash, s.name, s.token, s.created_at, s.expires_at,
                   coalesce(s.role, t.role) as role, if(s.token is null, s.namespaces, t.namespaces) as namespaces,
                   s.expires_at < least(s.ends_at, date_add(utc_timestamp(3), interval :renewed second)) as to_renew
              from sign_in s
              left join api_token t on t.name = s.token
             where s.hash in (<hashes>) and s.expires_at > utc_timestamp(3)
               and (s.token is null or (""" + HOLDS.formatted("s.token_hash") + "))";

    private static final String BEGIN_BY_TOKEN = """
            insert into sign_in (hash, name, token, token_hash, created_at, expires_at, ends_at)
            select :hash, t.name, t.name, :tokenHash, utc_timestamp(3),
                   date_add(utc_timestamp(3), interval :idle second), date_add(utc_timestamp(3), interval :most second)
              from api_token t
             where t.name = :name and\s""" + HOLDS.formatted(":tokenHash");

    private static final String BEGIN = """
            insert into sign_in (hash, name, role, namespaces, created_at, expires_at, ends_at)
            values (:hash, :name, :role, :namespaces, utc_timestamp(3),
                    date_add(utc_timestamp(3), interval :idle second),
                    date_add(utc_timestamp(3), interval :most second))
            """;
    private static final String RENEW = """
            update sign_in set expires_at = least(ends_at, date_add(utc_timestamp(3), interval :idle second))
             where hash in (<hashes>)
            """;
    private static final String END = "delete from sign_in where hash = :hash";
    private static final String PURGE = "delete from sign_in where expires_at < utc_timestamp(3) limit 100";

    private static final String KEY = "sign-in-key";
    private static final String READ_KEY = "select value from setting where name = :name";
    private static final String OFFER_KEY = "insert ignore into setting (name, value) values (:name, :value)";

    private final Database database;

    public SignInStore(Database database) {
        this.database = database;
    }

    /** Lifetime of a sign-in without being used, and at most. */
    public record SignInLifetime(Duration idle, Duration most) {}

    /**
     * Valid sign-in.
     *
     * @param token that it was made with; null: by an identity provider
     * @param role as of now, like the namespaces
     * @param namespaces empty: all
     * @param toRenew whether it was used for the last time a while ago
     */
    public record SignInRow(
            String name,
            @Nullable String token,
            String role,
            List<String> namespaces,
            Instant since,
            Instant expiresAt,
            boolean toRenew) {}

    /**
     * Returns the valid sign-ins, by hash.
     *
     * @param rest how much of its time without use may be gone before one is renewed
     */
    public Map<String, SignInRow> find(Collection<String> hashes, SignInLifetime limits, Duration rest) {
        return database.autoCommit("reading sign-ins", handle -> {
            Map<String, SignInRow> found = new HashMap<>();
            query(handle, FIND, "renewed", limits.idle().minus(rest).toSeconds())
                    .bindList("hashes", List.copyOf(hashes))
                    .map((row, context) -> found.put(row.getString("hash"), read(row)))
                    .list();
            return found;
        });
    }

    private static SignInRow read(ResultSet row) throws SQLException {
        return new SignInRow(
                row.getString("name"),
                row.getString("token"),
                row.getString("role"),
                JsonRows.list(row, "namespaces"),
                SqlTime.read(row, "created_at"),
                SqlTime.read(row, "expires_at"),
                row.getBoolean("to_renew"));
    }

    /** Begins a sign-in by a token; returns false if the token has another hash by now, or has expired. */
    public boolean beginByToken(String hash, Author who, String tokenHash, SignInLifetime limits) {
        return database.transact("signing in", handle -> {
            int begun = handle.createUpdate(BEGIN_BY_TOKEN)
                    .bind("hash", hash)
                    .bind("name", who.name())
                    .bind("tokenHash", tokenHash)
                    .bind("idle", limits.idle().toSeconds())
                    .bind("most", limits.most().toSeconds())
                    .execute();
            if (begun == 1) {
                audit(who, AuditAction.SIGN_IN).write(handle, subject(who), way("TOKEN"));
            }
            return begun == 1;
        });
    }

    /** @param namespaces empty: all */
    public void begin(String hash, Author who, Collection<String> namespaces, SignInLifetime limits) {
        @Nullable String limited = namespaces.isEmpty() ? null : JsonRows.text(namespaces);
        database.transact("signing in", handle -> {
            handle.createUpdate(BEGIN)
                    .bind("hash", hash)
                    .bind("name", who.name())
                    .bind("role", who.role())
                    .bind("namespaces", limited)
                    .bind("idle", limits.idle().toSeconds())
                    .bind("most", limits.most().toSeconds())
                    .execute();
            audit(who, AuditAction.SIGN_IN).write(handle, subject(who), way("OIDC"));
            return null;
        });
    }

    /**
     * Records a refused sign-in.
     *
     * @param way {@code TOKEN} or {@code OIDC}
     * @param others how many more were not noted since the last one that was
     */
    public void refused(Author who, String way, String why, long others) {
        database.transact("noting a failed sign-in", handle -> {
            audit(who, AuditAction.SIGN_IN_FAILED)
                    .write(handle, subject(who), way(way).put("reason", why).put("leftOutBefore", others));
            return null;
        });
    }

    private static Audit audit(Author who, AuditAction action) {
        return Audit.by(who).doing(action);
    }

    private static Subject subject(Author who) {
        return Subject.of("session", who.name());
    }

    private static ObjectNode way(String way) {
        return JsonNodeFactory.instance.objectNode().put("signedInBy", way);
    }

    /**
     * Renews sign-ins that were used, in the order of their hashes, as others may renew some of them at the same time.
     */
    public void renew(Collection<String> hashes, SignInLifetime limits) {
        database.transact(
                "renewing sign-ins",
                handle -> handle.createUpdate(RENEW)
                        .bindList("hashes", hashes.stream().sorted().toList())
                        .bind("idle", limits.idle().toSeconds())
                        .execute());
    }

    /** Signs a person out, who may have been signed out elsewhere meanwhile. */
    public void end(String hash, Author who) {
        database.transact("signing out", handle -> {
            if (update(handle, END, "hash", hash) == 1) {
                audit(who, AuditAction.SIGN_OUT).write(handle, subject(who), null, null);
            }
            return null;
        });
    }

    /** Deletes some that have ended. */
    public void purge() {
        database.transact("deleting sign-ins that are over", handle -> update(handle, PURGE));
    }

    /** Returns the secret that all nodes share. */
    public Optional<String> key() {
        return database.autoCommit(
                "reading the key of sign-ins",
                handle ->
                        query(handle, READ_KEY, "name", KEY).mapTo(String.class).findOne());
    }

    /** Stores this as the secret, unless there is one. */
    public void offerKey(String offered) {
        database.transact(
                "making the key of sign-ins", handle -> update(handle, OFFER_KEY, "name", KEY, "value", offered));
    }
}
