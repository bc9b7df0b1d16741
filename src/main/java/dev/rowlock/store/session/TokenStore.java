package dev.rowlock.store.session;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.Database;
import java.util.Optional;

/** The hashes of tokens; the tokens themselves are never stored. */
public final class TokenStore {

    private static final String FIND = "select hash from api_token where name = :name";
    private static final String CLAIM =
            "insert ignore into api_token (name, hash, created_at) values (:name, :hash, utc_timestamp(3))";
    private static final String REPLACE = """
            insert into api_token (name, hash, created_at) values (:name, :hash, utc_timestamp(3))
            on duplicate key update created_at = if(hash = :hash, created_at, utc_timestamp(3)), hash = :hash
            """;

    private final Database database;

    public TokenStore(Database database) {
        this.database = database;
    }

    /** @return SHA-256 in lower-case hex */
    public Optional<String> find(String name) {
        return database.autoCommit(
                "reading the token " + name,
                handle -> query(handle, FIND, "name", name).mapTo(String.class).findOne());
    }

    /** Stores a hash unless there is one of this name already; false if there is. */
    public boolean claim(String name, String hash) {
        return database.transact(
                "storing the token " + name, handle -> update(handle, CLAIM, "name", name, "hash", hash) == 1);
    }

    public void replace(String name, String hash) {
        database.transact("replacing the token " + name, handle -> update(handle, REPLACE, "name", name, "hash", hash));
    }
}
