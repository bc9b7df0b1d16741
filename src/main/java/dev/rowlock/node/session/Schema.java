package dev.rowlock.node.session;

import dev.rowlock.db.Servers;
import dev.rowlock.db.schema.Migrations;
import dev.rowlock.node.Loop;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tables of the database, which are migrated before anything else is done with them. Whoever has reason to {@link
 * #doubt} that it is still that database has them checked again.
 */
public final class Schema {

    private static final Logger log = LoggerFactory.getLogger(Schema.class);

    private final Servers servers;
    private final Runnable then;
    private final Executor renewing = Loop.beside("schema-lock");
    private volatile @Nullable Integer version;
    private volatile boolean doubted;
    private volatile @Nullable String failure;

    /** @param then run when the tables exist for the first time */
    public Schema(Servers servers, Runnable then) {
        this.servers = servers;
        this.then = then;
    }

    /** Migrates the tables, or waits for whoever does; cheap once that has been done. */
    public void bringUpToDate() {
        try {
            ensure();
            failure = null;
        } catch (RuntimeException e) {
            failure = e.getMessage();
            throw e;
        }
    }

    private void ensure() {
        Integer known = version;
        if (known == null) {
            int found = Migrations.run(servers, renewing);
            then.run();
            version = found;
        } else if (doubted) {
            doubted = false;
            lookAgain(known);
        }
    }

    /** Has the tables checked again: another server may have taken the database's place, or a backup its data. */
    public void doubt() {
        doubted = true;
    }

    private void lookAgain(int known) {
        boolean done = false;
        try {
            if (!Migrations.have(servers, known)) {
                log.warn("the database's schema is older than the one this node has seen: it is brought up to date");
                version = Migrations.run(servers, renewing);
            }
            done = true;
        } finally {
            doubted |= !done;
        }
    }

    /** Returns why nothing can be done with the tables, for people. */
    public Optional<String> problem() {
        String why = failure;
        return why != null
                ? Optional.of("the database's schema cannot be brought up to date: "
                        + why.strip().lines().findFirst().orElse(""))
                : version == null
                        ? Optional.of("the database's schema has not been brought up to date yet")
                        : Optional.empty();
    }

    /** Returns the version of the tables that was found or made; null: not known yet. */
    public @Nullable Integer version() {
        return version;
    }
}
