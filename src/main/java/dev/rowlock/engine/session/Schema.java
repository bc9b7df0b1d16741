package dev.rowlock.engine.session;

import dev.rowlock.db.Migrations;
import dev.rowlock.db.Servers;

/** Brings the tables up to date once, before anything else is done with them. */
public final class Schema {

    private final Servers servers;
    private final Runnable then;
    private volatile boolean current;

    /** @param then run once the tables are there */
    public Schema(Servers servers, Runnable then) {
        this.servers = servers;
        this.then = then;
    }

    public void bringUpToDate() {
        if (!current) {
            Migrations.run(servers);
            then.run();
            current = true;
        }
    }

    public boolean isCurrent() {
        return current;
    }
}
