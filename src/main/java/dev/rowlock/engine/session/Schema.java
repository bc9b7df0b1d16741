package dev.rowlock.engine.session;

import dev.rowlock.db.Migrations;
import dev.rowlock.db.Servers;
import org.jspecify.annotations.Nullable;

/** Brings the tables up to date once, before anything else is done with them. */
public final class Schema {

    private final Servers servers;
    private final Runnable then;
    private volatile @Nullable Integer version;

    /** @param then run once the tables are there */
    public Schema(Servers servers, Runnable then) {
        this.servers = servers;
        this.then = then;
    }

    public void bringUpToDate() {
        if (version == null) {
            int found = Migrations.run(servers);
            then.run();
            version = found;
        }
    }

    public boolean isCurrent() {
        return version != null;
    }

    /** Which version of the tables was found or made; null: not known yet. */
    public @Nullable Integer version() {
        return version;
    }
}
